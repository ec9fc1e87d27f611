import { execFileSync } from 'node:child_process'
import { mkdirSync, readdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import pg from 'pg'
import { expect, test } from 'vitest'
import { migrate } from '../../src/commands/migrate.ts'
import { openDb } from '../../src/kit/database/db.ts'
import { cohortForm, headings, listOf, recipient, sheetFile } from '../cohorts.ts'
import { clearLine } from '../database.ts'
import { addPeople } from '../people.ts'
import { until } from '../portal.ts'
import { startAgency } from '../transfers/agencies/agency.ts'
import { postgresPrograms, startDebianPostgres } from './debian-postgres.ts'
import { addAccount, Crowd } from './shape/crowd.ts'
import { startPair } from './shape/pair.ts'
import { formOf, type Person } from './shape/person.ts'
import { makePlace } from './shape/place.ts'
import { startServers } from './shape/servers.ts'

const recipients = 1600
const amount = 10_500
const { folder, atEnd } = makePlace()

/** Uploads a list, waits until it is imported, and returns the id of its cohort. */
async function upload(officer: Person, name: string, file: File): Promise<number> {
  const path = `/admin/transfers/cohorts?search=${encodeURIComponent(name)}`
  const found = async () => (await officer.read(path)).body.cohorts.data[0]
  const form = formOf(cohortForm(file, { name }))
  const heard = await officer.change('POST', '/admin/transfers/cohorts/import', form, async () =>
    Boolean(await found()),
  )
  if (heard && heard.status !== 200 && heard.status !== 202) throw new Error(heard.text)
  const cohort = await until(async () => {
    const made = await found()
    return made?.status === 'pending' && made
  }, 120_000)
  return cohort.id
}

/** Approves a list. */
async function approve(approver: Person, id: number) {
  const path = `/admin/transfers/cohorts/${id}`
  const decided = async () => (await approver.read(`${path}/progress`)).body.status === 'approved'
  const heard = await approver.change('POST', `${path}/approve`, { action: 'approved' }, decided)
  if (heard && heard.status !== 200) throw new Error(heard.text)
}

/** Waits for the hold, and releases it as soon as the agency was asked about every open payment. */
async function releaseHold(approver: Person) {
  const path = '/admin/transfers/sending-hold'
  const held = () => approver.read(path).then(({ body }) => body.hold)
  await until(held, 60_000)
  const { reasons } = await until(async () => {
    const hold = await held()
    return hold?.barred === null && hold
  }, 120_000)
  const heard = await approver.change('POST', `${path}/release`, {}, async () => !(await held()))
  if (heard && heard.status !== 200) throw new Error(heard.text)
  return reasons as string[]
}

test('a round is paid on several machines while each process and the primary are killed once; a restored copy pays nobody again', {
  timeout: 900_000,
}, async () => {
  const began = performance.now()
  const agency = await startAgency()
  atEnd(() => agency.close())
  mkdirSync(join(folder, 'databases'))
  const pair = await startPair(join(folder, 'databases'), atEnd)
  const { ownerUrl, appUrl } = pair
  await migrate(ownerUrl, appUrl)
  const db = openDb(appUrl, 2)
  await addPeople(db, recipients + 2, agency.url)
  await db.pool.end()
  const owner = new pg.Client({ connectionString: ownerUrl })
  await owner.connect()
  const emails = {
    officer: await addAccount(owner, 'Transfer Officer'),
    approver: await addAccount(owner, 'Transfer Approver'),
    administrator: await addAccount(owner, 'Administrator'),
  }
  await owner.end()
  const servers = await startServers({
    ...{ folder, ownerUrl, appUrl, agencyHost: agency.host, atEnd },
    twoGateways: true,
  })
  await servers.start()
  const started = performance.now()

  const crowd = new Crowd(servers)
  atEnd(() => crowd.stop())
  const officer = await crowd.person(emails.officer)
  const approver = await crowd.person(emails.approver)
  crowd.look(await crowd.person(emails.administrator), ['/admin/schools/list', '/home/statistics'], 10)
  await crowd.edit(await crowd.person(emails.administrator), 300)
  const main = await upload(officer, 'Paid through kills', listOf(recipients))
  await agency.set({ latency_ms: 2500 })
  await approve(approver, main)
  const round = async (id = main) =>
    (await approver.read(`/admin/transfers/cohorts/${id}/progress`)).body.round
  const paid = async () => (await round())?.success ?? 0
  const payMore = async (count: number) => {
    const before = await paid()
    await until(async () => (await paid()) >= before + count, 120_000)
  }
  await payMore(20)

  // Each process once. What is measured is what a person notices, and how long nobody was paid.
  const times: string[] = []
  const strike = async (name: string, kill: () => Promise<unknown>) => {
    const at = performance.now()
    await kill()
    const answered = await crowd.nextAnswer(at)
    await payMore(1)
    const paying = performance.now() - at
    times.push(`${name} ${(answered / 1000).toFixed(1)} s (paying ${(paying / 1000).toFixed(1)} s)`)
  }
  const [api1, api2, worker1, worker2] = [...servers.apis, ...servers.workers].map(({ program }) => program)
  for (const program of [api1, api2, worker1, worker2]) {
    await strike(program?.recipe.name ?? '', async () => program?.kill())
    await program?.ready()
  }
  const { gateways } = servers
  if (!gateways) throw new Error('There is no pair of nginx.')
  await strike('nginx', async () => (await gateways.holder()).nginx.kill())
  // Each machine once: the other one has the address meanwhile.
  for (const _ of ['one', 'the other']) {
    const { machine } = await gateways.holder()
    await strike(`machine of nginx`, () => gateways.lose())
    expect((await gateways.holder()).machine).not.toBe(machine)
    await gateways.bringBack()
  }
  for (const program of [pair.haproxy, ...pair.etcds]) {
    const [name = ''] = program.recipe.name.split(' ')
    await strike(name, () => program.kill())
    await program.ready()
  }
  let small = 0
  await strike('object store', async () => {
    await servers.store?.kill()
    small = await upload(
      officer,
      'Uploaded without a store',
      sheetFile([headings, recipient(recipients + 1), recipient(recipients + 2)]),
    )
  })

  const backups = join(folder, 'backups')
  mkdirSync(backups)
  const secrets = join(folder, 'secrets')
  mkdirSync(secrets)
  const secretFile = (name: string, text: string) => {
    writeFileSync(join(secrets, name), text)
    return join(secrets, name)
  }
  const handed = (database: { ownerUrl: string; appUrl: string }, dataDir: string) => ({
    ...servers.settings,
    PATH: `${postgresPrograms()}:${process.env.PATH}`,
    PORTAL_DATA_DIR: dataDir,
    DATABASE_URL_FILE: secretFile('database', database.appUrl),
    DATABASE_OWNER_URL_FILE: secretFile('database-owner', database.ownerUrl),
  })
  const script = (name: string, word: string, env: NodeJS.ProcessEnv) =>
    execFileSync(join(import.meta.dirname, '../../../deploy/systemd', name), [word], {
      env,
      encoding: 'utf8',
    })
  script('backup.sh', backups, handed(pair, join(folder, 'workers')))

  await payMore(60)
  const { node, at: lost } = await pair.losePrimary()
  const answered = await crowd.nextAnswer(lost)
  const again = await crowd.person(emails.approver)
  const reasons = await releaseHold(again)
  expect(reasons.length).toBeGreaterThan(0)
  await payMore(1)
  const paying = performance.now() - lost
  times.push(
    `primary ${(answered / 1000).toFixed(1)} s (paying ${(paying / 1000).toFixed(1)} s, after a person released the hold)`,
  )
  await pair.bringBack(node)

  await agency.set({ latency_ms: 20 })
  await approve(again, small)
  const isDone = async (id: number) => {
    const now = await round(id)
    return now && now.pending === 0 && now.unknown === 0
  }
  await until(async () => (await isDone(main)) && (await isDone(small)), 120_000)
  await crowd.stop()

  // Nothing is half done: the agency's own ledger has each recipient once, and the portal says so to the franc.
  const ledger = await agency.ledger()
  expect(ledger.filter(({ executed }) => executed !== 1)).toEqual([])
  expect(ledger).toHaveLength(recipients + 2)
  const moved = ledger.reduce((sum, line) => sum + line.amount * line.executed, 0)
  expect(moved).toBe((recipients + 2) * amount)
  const auditor = await new Crowd(servers).person(emails.administrator)
  atEnd(() => auditor.close())
  const disbursed = async (id: number) =>
    (await auditor.read(`/admin/transfers/cohorts/${id}/summary`)).body.cohort.transfer_cohort_stats
      .total_amount_disbursed
  expect((await disbursed(main)) + (await disbursed(small))).toBe(moved)
  expect(servers.command('api/src/commands/ledger-verify.ts', ['--agencies'])).toMatch(
    /The ledger holds: 2 approved lists/,
  )
  expect(servers.command('api/src/commands/verify.ts')).toMatch(/audit log: holds/)

  // Nobody saw anything but what the portal's client repeats.
  process.stdout.write(`${[...crowd.seen].map(([kind, n]) => `${n} × ${kind}`).join('\n')}\n`)
  expect(crowd.faults).toEqual([])
  expect(crowd.edits).toBeGreaterThan(20)
  const retried =
    /^(GET|PUT|POST) (503 (database_away|database_busy|store_away|outcome_unknown)|50[234] of nginx|E\w+|UND_ERR\w+|other side closed|no answer)$/
  expect([...crowd.seen.keys()].filter((kind) => !retried.test(kind))).toEqual([])

  // The drill: the dump of the middle of the round, on another server.
  for (const { program } of [...servers.apis, ...servers.workers]) await program.stop()
  const restoring = performance.now()
  const elsewhere = await (await startDebianPostgres()).database('restored')
  const restoredDir = join(folder, 'restored')
  const [backup = ''] = readdirSync(backups)
  const env = handed(elsewhere, restoredDir)
  expect(script('restore.sh', join(backups, backup), env)).toMatch(/ledger: holds/)
  // The portal before was stopped, so no order is on its way.
  await clearLine(elsewhere.ownerUrl)
  const copyFolder = join(folder, 'copy')
  mkdirSync(copyFolder)
  const copy = await startServers({
    folder: copyFolder,
    ...elsewhere,
    agencyHost: agency.host,
    settings: storeAndSecrets(servers.settings),
    workersDir: restoredDir,
    atEnd,
  })
  await copy.run()
  const restored = new Crowd(copy)
  atEnd(() => restored.stop())
  const releaser = await restored.person(emails.approver)
  await releaseHold(releaser)
  await until(async () => {
    const now = (await releaser.read(`/admin/transfers/cohorts/${main}/progress`)).body.round
    return now.success === recipients
  }, 120_000)
  const drilled = performance.now() - restoring
  const after = await agency.ledger()
  expect(after.filter(({ executed }) => executed !== 1)).toEqual([])
  expect(after).toHaveLength(recipients + 2)

  const seconds = (ms: number) => `${(ms / 1000).toFixed(0)} s`
  process.stdout.write(
    `${[
      `Started in ${seconds(started - began)}; ${recipients} recipients; ${crowd.calls} calls, ${crowd.edits} edits`,
      `From the kill to the next answered call, and to the next payment: ${times.join(', ')}`,
      `Restore drill ${seconds(drilled)}; all in all ${seconds(performance.now() - began)}`,
    ].join('\n')}\n`,
  )
})

/** The settings of a portal that its copy has, too. */
function storeAndSecrets(settings: NodeJS.ProcessEnv): Record<string, string> {
  const names = ['PORTAL_SECRET', 'PORTAL_INSTALLATION', 'S3_ENDPOINT', 'S3_SECRET']
  return Object.fromEntries(names.map((name) => [name, settings[name] ?? '']))
}
