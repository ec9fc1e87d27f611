import { readdirSync, readFileSync, statSync } from 'node:fs'
import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { type CompiledQuery, sql } from 'kysely'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { sendMail } from '../../src/home/mail.service.ts'
import { foldTotals } from '../../src/kit/database/totals.ts'
import type { Actor } from '../../src/kit/http/session.ts'
import { registerExport, startExport } from '../../src/kit/jobs/exports.ts'
import { enqueue } from '../../src/kit/jobs/jobs.ts'
import { type Account, startPortal, until } from '../portal.ts'

const portal = await startPortal()
const { db, owner, settings } = portal

const gate = Promise.withResolvers<void>()
let written = 0
const everybodys = {
  allowed: () => true,
  subject: () => ({ type: 'school', id: null, filters: {} }),
}
registerExport<{ text: string }>('trial', {
  ...everybodys,
  write: async (_context, { params, path, progress }) => {
    await progress(1, 2)
    await gate.promise
    written += 1
    await writeFile(path, params.text)
    return { rows: 2, columns: [] }
  },
})
/** Both workers that write it wait here. */
const lease = { writing: 0, lost: Promise.withResolvers<void>() }
registerExport('twice', {
  ...everybodys,
  write: async (_context, { path }) => {
    lease.writing += 1
    await lease.lost.promise
    await writeFile(path, 'twice')
    return { rows: 1, columns: [] }
  },
})
registerExport('broken', {
  ...everybodys,
  write: async () => {
    throw new Error('the disk is full')
  },
})
const ask = (user: Account, kind: string, text: string) =>
  db.transaction().execute((tx) => startExport(tx, { id: user.id } as Actor, 'en', kind, { text }, 'schools'))

let stop: () => Promise<void>
beforeAll(async () => {
  stop = await portal.worker()
})
afterAll(() => stop())

test('a person who asked for an export sees its progress and gets the file; nobody else does', async () => {
  const person = await portal.signedIn()
  const other = await portal.signedIn()
  const { file_name } = await ask(person.user, 'trial', 'ready')
  expect(file_name).toMatch(/^schools-\d{4}-\d\d-\d\d-[0-9a-f]{12}\.xlsx$/)
  const path = `/storage/exports/${file_name}`
  await until(async () => (await person.get(path)).body.rows_done === 1)
  expect(await person.get(path)).toMatchObject({ status: 202, body: { rows_done: 1, rows_total: 2 } })
  gate.resolve()
  const file = await until(async () => {
    const answer = await person.get(path)
    return answer.status === 200 && answer
  })
  expect(file.bytes.toString()).toBe('ready')
  expect(file.headers['content-disposition']).toMatch(`attachment; filename="${file_name}"`)
  expect(file.headers['x-content-type-options']).toBe('nosniff')
  expect((await other.get(path)).status).toBe(404)
  expect((await person.get('/storage/exports/schools-2026-01-01-000000000000.xlsx')).status).toBe(404)
  await owner.query("update exports set expires_at = now() - interval '1 second'")
  expect((await person.get(path)).status).toBe(404)
})

test('a person whose export cannot be written reads that it failed', async () => {
  const person = await portal.signedIn()
  const { file_name } = await ask(person.user, 'broken', '')
  // The next try is the last one, so that nobody waits for twenty.
  await until(async () => {
    const { rowCount } = await owner.query(
      "update pgboss.job set retry_limit = retry_count + 1 where name = 'export' and state = 'retry'",
    )
    return rowCount === 1
  })
  const answer = await until(async () => {
    const seen = await person.get(`/storage/exports/${file_name}`)
    return seen.status !== 202 && seen
  })
  expect(answer).toMatchObject({
    status: 409,
    body: { message: 'The export could not be written. Start it again.' },
  })
})

test('an export of a person that two workers wrote, because one had lost it, is one file and one entry of the log', async () => {
  const person = await portal.signedIn()
  const { file_name } = await ask(person.user, 'twice', '')
  const { rows } = await owner.query('select id from exports where file_name = $1', [file_name])
  const id = Number(rows[0].id)
  await db.transaction().execute((tx) => enqueue(tx, 'export', { id }))
  await until(async () => lease.writing === 2)
  const files = async () => {
    let count = 0
    for await (const _ of portal.context.storage.list()) count += 1
    return count
  }
  const before = await files()
  lease.lost.resolve()
  const open = `select from pgboss.job where name = 'export' and data->>'id' = $1 and state <> 'completed'`
  await until(async () => (await owner.query(open, [String(id)])).rowCount === 0)
  expect((await person.get(`/storage/exports/${file_name}`)).bytes.toString()).toBe('twice')
  const log = await owner.query("select from audits where event = 'exported' and user_id = $1", [
    person.user.id,
  ])
  expect([log.rowCount, (await files()) - before]).toEqual([1, 1])
})

test('a killed worker’s job runs again after four seconds without a heartbeat', {
  timeout: 90_000,
}, async () => {
  const person = await portal.signedIn()
  await stop()
  const { file_name } = await ask(person.user, 'trial', 'after the crash')
  const before = written
  // A killed worker leaves a claimed job whose heartbeat has just stopped.
  const claimed = await owner.query(
    `update pgboss.job set state = 'active', started_on = now(), heartbeat_on = now() where name = 'export' and state = 'created' returning heartbeat_seconds`,
  )
  expect(claimed.rows).toEqual([{ heartbeat_seconds: 4 }])
  stop = await portal.worker()
  // A job without heartbeats would be taken again only after an hour.
  await until(async () => (await person.get(`/storage/exports/${file_name}`)).status === 200, 60_000)
  expect(written).toBe(before + 1)
})

test('a job of a transaction that is rolled back is not queued', async () => {
  const jobs = async () =>
    (await owner.query("select count(*) as n from pgboss.job where name = 'export'")).rows[0].n
  const before = await jobs()
  await expect(
    db.transaction().execute(async (tx) => {
      await enqueue(tx, 'export', { id: 0 })
      throw new Error('given up')
    }),
  ).rejects.toThrow('given up')
  expect(await jobs()).toBe(before)
})

test('a person who asks for a second export waits for one statement of the queue', async () => {
  const person = await portal.signedIn()
  await ask(person.user, 'trial', 'first')
  const statements = await db.transaction().execute(async (tx) => {
    const seen: string[] = []
    const watched = new Proxy(tx, {
      get(target, name) {
        if (name !== 'executeQuery') return Reflect.get(target, name)
        return (query: CompiledQuery) => {
          seen.push(query.sql)
          return target.executeQuery(query)
        }
      },
    })
    await enqueue(watched, 'export', { id: 0 })
    return seen
  })
  expect(statements).toEqual([expect.stringMatching(/insert into pgboss/i)])
})

test('a person’s mail is complete in the outbox, readable by its owner only, and its link is deleted from the database', async () => {
  const link = `http://localhost:8080/password/reset/${'x'.repeat(120)}`
  const letter = {
    recipient: 'awa@test.example',
    subject: 'Réinitialisation',
    body: `Bonjour,\r\n${link}\r\n`,
  }
  await db.transaction().execute((tx) => sendMail(tx, settings, letter))
  await until(
    async () => (await owner.query("select from mails where state = 'sent' and body is null")).rowCount,
  )
  const folder = join(settings.dataDir, 'outbox')
  const [name = ''] = readdirSync(folder)
  expect(readFileSync(join(folder, name), 'utf8')).toContain(`\r\n${link}\r\n`)
  expect(statSync(join(folder, name)).mode & 0o777).toBe(0o600)
})

test('the cached totals of a list are right after every statement, before and after they are compacted', async () => {
  const total = async () => {
    const { rows } = await owner.query(
      "select coalesce(sum(rows), 0)::int as n, count(*)::int as parts from list_totals where name = 'caps'",
    )
    return rows[0]
  }
  await sql`insert into regions (country, name) values ('ml', 'SIKASSO')`.execute(db)
  await sql`insert into academies (region_id, name) select id, 'AE SIKASSO' from regions`.execute(db)
  await sql`
    insert into caps (academy_id, name) select id, 'CAP ' || n from academies, generate_series(1, 20) n
  `.execute(db)
  await sql`delete from caps where name = 'CAP 7'`.execute(db)
  await Promise.all([foldTotals(db), foldTotals(db)])
  expect(await total()).toEqual({ n: 19, parts: 1 })
})
