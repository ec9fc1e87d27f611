import { join } from 'node:path'
import { queueNames } from '@portal/contracts/home/system'
import { afterAll, afterEach, expect, test } from 'vitest'
import { machineServer } from '../../src/machine/machine.routes.ts'
import { migrationNames } from '../../src/migrations.ts'
import { runCommand } from '../commands.ts'
import { cloneDatabase } from '../database.ts'
import { addPeople, addRound } from '../people.ts'
import { startPortal } from '../portal.ts'
import { startProxy } from '../proxy.ts'

const database = await cloneDatabase()
const proxy = await startProxy(database.appUrl)
const portal = await startPortal({ databaseUrl: proxy.url }, database)
const health = { draining: false }
const serverOf = (context = portal.context, names = migrationNames()) =>
  machineServer(context, health, names, { jobs: portal.db.pool })
const server = serverOf()
afterAll(() => server.close())
afterEach(() => {
  proxy.open()
  health.draining = false
})

const get = async (url: string) => {
  const began = performance.now()
  const answer = await server.inject({ url })
  expect(performance.now() - began).toBeLessThan(8000)
  return { status: answer.statusCode, text: answer.body, type: String(answer.headers['content-type']) }
}
const ready = async () => {
  const { status, text } = await get('/readyz')
  return { status, ...JSON.parse(text) }
}
/** The value of one line of the metrics. */
const measured = async (line: string) => {
  const { text } = await get('/metrics')
  const found = text.split('\n').find((each) => each.startsWith(`${line} `))
  return found === undefined ? undefined : Number(found.slice(line.length + 1))
}

test('an orchestrator reads that the portal is ready, with each check apart', async () => {
  expect(await ready()).toEqual({
    status: 'ready',
    checks: {
      database: { ok: true, required: true },
      migrations: { ok: true, required: true, missing: 0 },
      storage: { ok: true, required: true },
      disk: { ok: true, required: true, free_mb: expect.any(Number) },
      agency_line: { ok: true, required: false, held: false, stalled: 0 },
    },
  })
  expect(await get('/livez')).toMatchObject({ status: 200, text: '{"status":"alive"}' })
  expect((await get('/healthz')).status).toBe(404)
})

test.each(['away', 'silent'] as const)(
  'an orchestrator reads that the database is %s, while the process is alive and its disk is fine',
  async (state) => {
    proxy[state]()
    const { status, checks } = await ready()
    expect(status).toBe('not-ready')
    expect(checks.database.ok).toBe(false)
    expect(checks.storage.ok).toBe(true)
    expect(checks.disk.ok).toBe(true)
    expect((await get('/livez')).status).toBe(200)
  },
)

test.each(['away', 'silent'] as const)(
  'people go on reading the page of the portal while the database is %s, because Kubernetes keeps the api in service',
  async (state) => {
    const api = serverOf()
    const kept = async () => {
      const answer = await api.inject({ url: '/readyz?exclude=database' })
      return [answer.statusCode, answer.json().status]
    }
    proxy[state]()
    // It has never seen the database, so it does not know that its tables are there.
    expect(await kept()).toEqual([503, 'not-ready'])
    proxy.open()
    expect(await kept()).toEqual([200, 'ready'])
    proxy[state]()
    expect(await kept()).toEqual([200, 'ready'])
    expect((await api.inject({ url: '/readyz' })).statusCode).toBe(503)
    health.draining = true
    expect(await kept()).toEqual([503, 'draining'])
    await api.close()
  },
)

test('nobody is led to an api whose migrations are missing, or whose disk is full, while the database is not asked for', async () => {
  const url = '/readyz?exclude=database'
  const behind = serverOf(portal.context, [...migrationNames(), 'next.sql'])
  expect((await behind.inject({ url })).json().status).toBe('not-ready')
  proxy.away()
  expect((await behind.inject({ url })).statusCode).toBe(503)
  await behind.close()
  proxy.open()
  const machine = { ...portal.settings.machine, diskMinMb: 2 ** 40 }
  const full = serverOf({ ...portal.context, settings: { ...portal.settings, machine } })
  expect((await full.inject({ url })).json().status).toBe('not-ready')
  proxy.away()
  expect((await full.inject({ url })).statusCode).toBe(503)
  await full.close()
})

test('an orchestrator reads that migrations are missing, and that the process drains', async () => {
  const behind = serverOf(portal.context, [...migrationNames(), 'next.sql'])
  const answer = (await behind.inject({ url: '/readyz' })).json()
  expect(answer).toMatchObject({ status: 'not-ready', checks: { migrations: { ok: false, missing: 1 } } })
  await behind.close()
  const starting = machineServer(portal.context, { draining: false, starting: true }, migrationNames(), {})
  const early = await starting.inject({ url: '/readyz' })
  expect(early).toMatchObject({ statusCode: 503 })
  expect(early.json()).toMatchObject({ status: 'starting', checks: { database: { ok: true } } })
  await starting.close()
  health.draining = true
  expect((await get('/readyz')).status).toBe(503)
  expect((await ready()).checks.database.ok).toBe(true)
})

test('an orchestrator reads that files cannot be written or that the disk is nearly full', async () => {
  const without = {
    ...portal.context,
    settings: { ...portal.settings, machine: { ...portal.settings.machine, diskMinMb: 2 ** 40 } },
  }
  without.storage = {
    ...portal.context.storage,
    temp: async () => join(portal.settings.dataDir, 'no', 'such', 'folder'),
  }
  const full = serverOf(without)
  const answer = (await full.inject({ url: '/readyz' })).json()
  expect(answer).toMatchObject({
    status: 'not-ready',
    checks: { database: { ok: true }, storage: { ok: false, fault: 'ENOENT' }, disk: { ok: false } },
  })
  await full.close()
})

test('an operator sees that sending is held without the portal going out of service', async () => {
  expect(await measured('portal_sending_held')).toBe(0)
  await portal.owner.query(
    "insert into sending_holds (reasons, known_until) values ('{mark_missing}', now())",
  )
  expect(await measured('portal_sending_held')).toBe(1)
  const { status, checks } = await ready()
  expect(checks.agency_line).toMatchObject({ ok: false, held: true })
  expect((await get('/readyz')).status).toBe(200)
  expect(status).toBe('ready')
  await portal.owner.query('delete from sending_holds')
})

test('an operator reads requests by pattern and status, audit lag, disk and event loop, but no address with an id', async () => {
  const officer = await portal.signedIn('schools.view')
  // Counters are of the process, which tests of other files share.
  const requests =
    'portal_http_request_duration_seconds_count{method="GET",route="/api/admin/schools/list",status="200"}'
  const before = (await measured(requests)) ?? 0
  await officer.get('/admin/schools/list')
  await officer.get('/admin/students/4711')
  expect(await measured(requests)).toBe(before + 1)
  const { text, type } = await get('/metrics')
  expect(type).toContain('text/plain')
  expect(text).not.toContain('students/4711')
  expect(await measured('portal_audit_unlinked_seconds')).toBeGreaterThan(0)
  expect(await measured('portal_disk_free_bytes')).toBeGreaterThan(0)
  expect(await measured('nodejs_eventloop_lag_p99_seconds')).toBeGreaterThanOrEqual(0)
  expect(await measured('portal_database_up')).toBe(1)
})

test('an operator whose database is away still reads the figures of the process, and no old ones of the database', async () => {
  proxy.away()
  expect(await measured('portal_database_up')).toBe(0)
  expect(await measured('portal_audit_unlinked_seconds')).toBeUndefined()
  expect(await measured('process_resident_memory_bytes')).toBeGreaterThan(0)
})

test('an administrator and an operator see when the ledger was last checked, and whether it agreed', async () => {
  const admin = await portal.signedInAs('Administrator')
  const ledger = async () => (await admin.get('/admin/system')).body.ledger
  const add = (age: string, differences: number) =>
    portal.owner.query(
      `insert into ledger_checks (began_at, ended_at, lists, payments, events, agencies, differences)
       values (now() - $1::interval, now() - $1::interval, 1, 2, 3, 1, $2)`,
      [age, differences],
    )
  expect(await ledger()).toBeNull()
  await add('40 hours', 2)
  expect(await ledger()).toMatchObject({ late: true, payments: 2, agencies: 1, differences: 2 })
  expect(await measured('portal_ledger_check_age_seconds')).toBeGreaterThanOrEqual(40 * 3600)
  expect(await measured('portal_ledger_differences')).toBe(2)

  const { code, err } = await runCommand(portal.settings, 'ledger-verify')
  expect([code, err]).toEqual([0, ''])
  const { rows } = await portal.owner.query('select count(*) as n from ledger_checks')
  expect(Number(rows[0].n)).toBe(2)
  expect(await ledger()).toEqual({
    at: expect.any(String),
    late: false,
    lists: 0,
    payments: 0,
    events: 0,
    agencies: null,
    differences: 0,
  })
  expect(await measured('portal_ledger_check_age_seconds')).toBeLessThan(3600)
  expect(await measured('portal_ledger_differences')).toBe(0)
  // A result is kept as it was found, whoever would change it.
  for (const change of ['update ledger_checks set differences = 0', 'delete from ledger_checks'])
    await expect(portal.owner.query(change)).rejects.toThrow()
})

test('an administrator and an operator see when the latest backup was made', async () => {
  const admin = await portal.signedInAs('Administrator')
  const backup = async () => (await admin.get('/admin/system')).body.backup
  const add = (age: string) =>
    portal.owner.query(
      "insert into backups (ended_at, maker, bytes) values (now() - $1::interval, 'pg_dump', 5000)",
      [age],
    )
  expect(await backup()).toBeNull()
  expect(await measured('portal_backup_age_seconds')).toBeLessThan(3600)
  await add('27 hours')
  expect(await backup()).toMatchObject({ late: true })
  expect(await measured('portal_backup_age_seconds')).toBeGreaterThanOrEqual(27 * 3600)
  await add('1 minute')
  expect(await backup()).toEqual({ at: expect.any(String), late: false, bytes: 5000, maker: 'pg_dump' })
  expect(await measured('portal_backup_age_seconds')).toBeLessThan(3600)
  await expect(portal.owner.query('delete from backups')).rejects.toThrow()
})

test('an operator and an administrator see what is open at each agency, which one settles nothing, and what waits since when', async () => {
  const { officer } = await addPeople(portal.db, 3, 'http://127.0.0.1:1')
  await addRound(portal.db, officer, 3, 'Counted')
  await portal.owner.query(
    `insert into agency_leases (agency_id, stalled_at) select id, now() from transfer_agencies
     on conflict (agency_id) do update set stalled_at = now()`,
  )
  await portal.owner.query(
    "insert into pgboss.job (name, data, state, start_after) values ('export', '{}', 'created', now() - interval '3 hours')",
  )
  await portal.owner.query("update imports set state = 'review', finished_at = null")
  const state = (name: string) => measured(`portal_payments{agency="Sandbox",state="${name}"}`)
  expect([await state('pending'), await state('success'), await state('unknown')]).toEqual([3, 0, 0])
  expect(await measured('portal_agency_not_progressing{agency="Sandbox"}')).toBe(1)
  expect(await measured('portal_queue_due_jobs{queue="export"}')).toBe(1)
  expect(await measured('portal_queue_oldest_seconds{queue="export"}')).toBeGreaterThanOrEqual(3 * 3600)
  expect(await measured('portal_imports{state="review"}')).toBe(1)
  const admin = await portal.signedInAs('Administrator')
  expect((await admin.get('/admin/system')).body.agencies).toEqual([
    { id: expect.any(Number), name: 'Sandbox', open: 3, unknown: 0, stalled: true },
  ])
})

test('an administrator reads what waits and what failed; who has no right to it does not', async () => {
  const admin = await portal.signedInAs('Administrator')
  await portal.owner.query(
    `insert into pgboss.job (name, data, state, start_after, completed_on, output) values
      ('mail', '{}', 'created', now() - interval '2 hours', null, null),
      ('import', '{}', 'failed', now(), now(), '{"message": "The file is gone\\nat line 5 of Awa"}')`,
  )
  const { status, body } = await admin.get('/admin/system')
  expect(status).toBe(200)
  const queue = (name: string) => body.queues.find((each: { name: string }) => each.name === name)
  expect(queue('mail')).toMatchObject({ due: 1, failed: 0 })
  expect(queue('mail').oldest).toBeGreaterThanOrEqual(7200)
  expect(queue('import')).toMatchObject({ due: 0, oldest: null, failed: 1 })
  expect(queueNames.filter((name) => !queue(name))).toEqual([])
  expect(body.errors).toMatchObject([{ queue: 'import', message: 'The file is gone' }])
  expect(body).toMatchObject({ held: false, files: { place: 'disk', reached: true } })
  expect(body.versions.migration).toBe(migrationNames().at(-1)?.split(' ')[0])

  const officer = await portal.signedIn('audit-logs.view', 'modules.manage')
  expect((await officer.get('/admin/system')).status).toBe(403)
  expect((await (await portal.visitor()).get('/admin/system')).status).toBe(401)
})
