import { execFileSync } from 'node:child_process'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import pg from 'pg'
import { afterAll, expect, test } from 'vitest'
import { startPostgres, startStandby } from '../../../../scripts/postgres.mjs'
import { migrate } from '../../../src/commands/migrate.ts'
import { setAuditKey } from '../../../src/kit/audit/audit.ts'
import { openDb } from '../../../src/kit/database/db.ts'
import { portal as portalItself } from '../../../src/kit/http/session.ts'
import { readSettings } from '../../../src/kit/process/settings.ts'
import { checkSecrets } from '../../../src/kit/secrets/secret-keys.ts'
import { releaseHold } from '../../../src/transfers/sending-hold/sending-hold.service.ts'
import { clearLine } from '../../database.ts'
import { addPeople, addRound } from '../../people.ts'
import { until } from '../../portal.ts'
import { mortalWorkersOfMany } from '../../workers.ts'
import { startAgency } from '../agencies/agency.ts'

const people = 300
const folder = mkdtempSync(join(tmpdir(), 'portal-restore-'))
const agency = await startAgency()
const servers = new Set<{ stop(): Promise<void> }>()
afterAll(async () => {
  for (const server of servers) await server.stop()
  await agency.close()
  rmSync(folder, { recursive: true, force: true })
})

const workers = mortalWorkersOfMany()

type Server = Awaited<ReturnType<typeof startPostgres>>

/** A portal with a separate PostgreSQL server, whose folder can be copied while the server is stopped. */
async function onOwnServer(name: string) {
  const dir = join(folder, name)
  const start = async (): Promise<Server> => {
    const server = await startPostgres({ dir, log: join(folder, `${name}.log`), durable: true })
    servers.add(server)
    return server
  }
  const server = await start()
  await migrate(server.ownerUrl, server.appUrl)
  // The agency answers within 250 ms, so orders of a killed worker arrive within that time.
  await clearLine(server.ownerUrl, 3)
  const settings = {
    ...readSettings({
      DATABASE_URL: server.appUrl,
      PORTAL_DATA_DIR: join(folder, `${name}-data`),
      PORTAL_DEMO: 'true',
      NODE_ENV: 'test',
    }),
    agencyHosts: [agency.host],
  }
  setAuditKey(settings.secret)
  const db = openDb(server.appUrl, 1)
  await checkSecrets({ db, settings })
  await db.pool.end()
  return { dir, start, server, settings }
}

/** Opens a connection for one query only, so that no connection delays the stop of a server. */
async function look<Row extends pg.QueryResultRow>(
  url: string,
  text: string,
  values: unknown[] = [],
): Promise<Row[]> {
  const client = new pg.Client({ connectionString: url })
  client.on('error', () => {})
  await client.connect()
  try {
    return (await client.query<Row>(text, values)).rows
  } finally {
    await client.end()
  }
}

/** A cohort whose period starts tomorrow. `dayComes` moves the period to today. */
async function approvedForTomorrow(url: string) {
  const db = openDb(url, 2)
  const { officer } = await addPeople(db, people, agency.url)
  const { round } = await addRound(db, officer, people, 'Tomorrow')
  for (const table of ['transfer_rounds', 'transfer_payroll_groups'])
    await db.pool.query(`update ${table} set due_on = due_on + 1`)
  await db.pool.end()
  return { officer, round }
}
const dayComes = async (url: string) => {
  for (const table of ['transfer_rounds', 'transfer_payroll_groups'])
    await look(url, `update ${table} set due_on = (now() at time zone 'utc')::date`)
}

type Status = { status: string; n: number }
const paidIn = (url: string) =>
  look<Status>(url, 'select status, count(*)::int as n from transfer_payrolls group by 1 order by 1')
const allPaid = (url: string) =>
  until(async () => {
    const now = await paidIn(url).catch(() => [])
    return now.length === 1 && now[0]?.status === 'success' && now[0].n === people
  }, 90_000)
/** Once it is in the file too: a worker that is stopped between the two writes leaves a database that holds its payments. */
const markIsKept = (url: string) =>
  until(
    async () => (await look(url, 'select from sending_marks where incarnation is not null')).length === 1,
    30_000,
  )

/** Each payment of the round in the agency's ledger: how often money moved, and how many orders the agency received. */
async function byLedger(url: string) {
  const ours = new Set(
    (await look<{ reference: string }>(url, 'select reference from transfer_payrolls')).map(
      ({ reference }) => reference,
    ),
  )
  const lines = (await agency.ledger()).filter(({ reference }) => ours.has(reference))
  return {
    paid: lines.filter(({ executed }) => executed === 1).length,
    twice: lines.length - new Set(lines.map(({ reference }) => reference)).size,
    sentAgain: lines.filter(({ received }) => received > 1).length,
  }
}

async function heldAndAsked(url: string): Promise<string[]> {
  await until(async () => {
    const [left] = await look<{ left: number }>(
      url,
      `select (select count(*) from sending_hold_questions where answer is null)
         + (select count(*) from sending_hold_lists where state = 'reading') as left
       from sending_holds where released_at is null`,
    ).catch(() => [])
    return left && Number(left.left) === 0
  }, 60_000)
  const [hold] = await look<{ reasons: string[] }>(url, 'select reasons from sending_holds')
  return hold?.reasons ?? []
}

async function release(url: string, userId: number) {
  const db = openDb(url, 2)
  const person = { ...portalItself, id: userId } as Parameters<typeof releaseHold>[1]
  await releaseHold(db, person, false)
  await db.pool.end()
}

test('nobody is paid twice after a backup from before the payday is restored', {
  timeout: 240_000,
}, async () => {
  const { dir, start, server, settings } = await onOwnServer('restored')
  const { officer } = await approvedForTomorrow(server.appUrl)
  const early = workers.start(settings)
  await markIsKept(server.appUrl)
  await workers.end(early, 'SIGTERM')
  await server.stop()
  execFileSync('cp', ['-a', dir, `${dir}.backup`])

  const second = await start()
  await dayComes(second.appUrl)
  const worker = workers.start(settings)
  await allPaid(second.appUrl)
  await workers.end(worker, 'SIGTERM')
  await second.stop()
  rmSync(dir, { recursive: true })
  execFileSync('cp', ['-a', `${dir}.backup`, dir])

  const third = await start()
  expect(await paidIn(third.appUrl)).toEqual([{ status: 'pending', n: people }])
  await dayComes(third.appUrl)
  const restarted = workers.start(settings)
  expect(await heldAndAsked(third.appUrl)).toContain('behind')
  await allPaid(third.appUrl)
  await release(third.appUrl, officer)
  await workers.end(restarted, 'SIGTERM')
  expect(await byLedger(third.appUrl)).toEqual({ paid: people, twice: 0, sentAgain: 0 })
  await third.stop()
})

test('nobody is paid twice when a standby without the last payments takes over', {
  timeout: 240_000,
}, async () => {
  const { dir, start, server, settings } = await onOwnServer('primary')
  const { officer } = await approvedForTomorrow(server.appUrl)
  await dayComes(server.appUrl)
  await server.stop()
  execFileSync('cp', ['-a', dir, `${dir}.standby`])

  const primary = await start()
  await agency.set({ latency_ms: 250 })
  const worker = workers.start(settings)
  await until(async () => {
    const paid = (await paidIn(primary.appUrl)).find(({ status }) => status === 'success')
    return paid && paid.n > people / 3
  }, 60_000)
  process.kill(primary.pid, 'SIGKILL')
  await agency.set({ latency_ms: 0 })
  const standby = await startStandby({ dir: `${dir}.standby`, log: join(folder, 'standby.log') })
  servers.add(standby)
  expect(standby.port).toBe(primary.port)
  await standby.promote()

  expect(await heldAndAsked(primary.appUrl)).toContain('timeline')
  await release(primary.appUrl, officer)
  await allPaid(primary.appUrl)
  await workers.end(worker, 'SIGTERM')
  expect(await byLedger(primary.appUrl)).toEqual({ paid: people, twice: 0, sentAgain: 0 })
})
