import { existsSync, mkdirSync, readdirSync, readFileSync, utimesSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { linkAudits, verifyAudits } from '../../src/kit/audit/audit-chain.ts'
import { kept, keptBriefly } from '../../src/kit/jobs/keep-days.ts'
import { readSettings } from '../../src/kit/process/settings.ts'
import { machineServer } from '../../src/machine/machine.routes.ts'
import { migrationNames } from '../../src/migrations.ts'
import { tidy } from '../../src/privacy/retention.service.ts'
import { traces } from '../../src/privacy/traces.ts'
import { verifyLedger } from '../../src/transfers/ledger/ledger-check.service.ts'
import { caseStage, pdf } from '../cases/case-stage.ts'
import { addPeople, addRound } from '../people.ts'
import { startPortal } from '../portal.ts'

const portal = await startPortal()
const { db, owner, settings, context } = portal
const { storage } = context
const machine = machineServer(context, { draining: false }, migrationNames(), {})
afterAll(() => machine.close())

const count = async (query: string) =>
  (await owner.query(`select count(*)::int as n from ${query}`)).rows[0].n
/** A file of the data folder that was last written so many days ago. */
function oldFile(folder: string, name: string, days: number) {
  mkdirSync(join(settings.dataDir, folder), { recursive: true })
  const path = join(settings.dataDir, folder, name)
  writeFileSync(path, 'text')
  const then = new Date(Date.now() - days * 86_400_000)
  utimesSync(path, then, then)
}
/** Lets the next call of `tidy` be the one of another night. */
let nights = 0
const nextNight = () =>
  owner.query(
    'update retention_runs set day = day - $1::int where day = (select max(day) from retention_runs)',
    [++nights],
  )
const lastCounts = async () =>
  (await owner.query('select counts from retention_runs order by day desc limit 1')).rows[0].counts
const isStored = (key: string) => storage.withFile(key, async (path) => existsSync(path)).catch(() => false)

beforeAll(async () => {
  const { officer } = await addPeople(db, 3, 'http://127.0.0.1:1')
  await addRound(db, officer, 3, 'Old list')
  await owner.query(
    "update imports set created_at = now() - interval '3 years', finished_at = now() - interval '3 years'",
  )
  await owner.query("update transfer_cohorts set created_at = now() - interval '3 years'")
})

test('what is older than its kind is kept goes in one night, with one audit row, and newer rows stay', async () => {
  const person = await portal.signedIn()
  const { id } = person.user
  await owner.query(`insert into sessions (user_id, token_hash, last_seen_at, ended_at, created_at)
    select ${id}, sha256(n::text::bytea), now() - make_interval(days => n), null, now() - make_interval(days => n) from unnest(array[89, 91]) n`)
  await owner.query(`insert into password_tokens (user_id, token_hash, purpose, expires_at)
    select ${id}, sha256(n::text::bytea), 'reset', now() - make_interval(days => n) from unnest(array[89, 91]) n`)
  await owner.query(`insert into mails (recipient, subject, state, created_at)
    select 'a@test.example', s, s, now() - interval '91 days' from unnest(array['sent', 'failed', 'queued']) s`)
  await owner.query(`insert into notifications (user_id, text, created_at)
    select ${id}, '{}', now() - make_interval(days => n) from unnest(array[179, 181]) n`)
  await owner.query(`insert into synced_messages (message_id, entity_type, action, data, processed_at)
    select 'm' || coalesce(n, 0), 'attendance', 'create', '{"contact": "+22370000000"}', now() - make_interval(days => n)
    from unnest(array[179, 181, null]) n`)
  await owner.query(
    `insert into import_rows (import_id, "row", kind, cells) select id, 1, 'new', '{}' from imports`,
  )
  const path = await storage.temp()
  writeFileSync(path, 'workbook')
  const key = await storage.keep(path)
  await owner.query('update files set key = $1', [key])
  expect(await isStored(key)).toBe(true)
  for (const days of [89, 91]) oldFile('outbox', `${days}.eml`, days)
  for (const days of [29, 31]) oldFile('people', `girl-${days}`, days)
  oldFile('logs', 'api.log', 400)
  oldFile('logs', 'api.log.1', 91)

  await tidy(context)

  expect(await lastCounts()).toEqual({
    sessions: 2,
    letters: 3,
    notices: 1,
    messages: 1,
    'import-rows': 1,
    'import-files': 1,
    'person-exports': 1,
    logs: 1,
  })
  expect(await count(`sessions where user_id = ${id}`)).toBe(2)
  expect((await person.get('/users/profile/details')).status).toBe(200)
  expect((await owner.query('select state from mails')).rows).toEqual([{ state: 'queued' }])
  expect(await count("synced_messages where data::text = '{}'")).toBe(1)
  expect(await isStored(key)).toBe(false)
  expect(await count("files where dropped_at is not null and name = 'list.xlsx'")).toBe(1)
  expect(readdirSync(join(settings.dataDir, 'outbox'))).toEqual(['89.eml'])
  expect(readdirSync(join(settings.dataDir, 'people'))).toEqual(['girl-29'])
  expect(readdirSync(join(settings.dataDir, 'logs'))).toEqual(['api.log'])
  const { rows } = await owner.query(
    "select a.user_id, v.new_values from audits a join audit_values v on v.audit_id = a.id where a.event = 'old data deleted'",
  )
  expect(rows).toEqual([{ user_id: null, new_values: await lastCounts() }])
})

test('a stored file that nothing refers to goes after 30 days, and stays while the database may be older than it', async () => {
  async function orphan(days: number) {
    const path = await storage.temp()
    writeFileSync(path, 'content')
    const key = await storage.keep(path)
    const then = new Date(Date.now() - days * 86_400_000)
    utimesSync(join(settings.dataDir, 'files/kept', key.slice(0, 2), key), then, then)
    return key
  }
  const [young, old] = [await orphan(29), await orphan(31)]
  const named = await orphan(400)
  await owner.query(
    "insert into files (key, name, type, size, sha256) values ($1, 'named.pdf', 'application/pdf', 7, sha256('content'))",
    [named],
  )
  const hold = await owner.query(
    "insert into sending_holds (reasons, known_until) values ('{behind}', now()) returning id",
  )
  await nextNight()
  await tidy(context)
  expect([await isStored(old), (await lastCounts())['orphans-left']]).toEqual([true, 1])
  await owner.query('delete from sending_holds where id = $1', [hold.rows[0].id])
  await nextNight()
  await tidy(context)
  expect((await lastCounts()).orphans).toBe(1)
  expect([await isStored(old), await isStored(young), await isStored(named)]).toEqual([false, true, true])
  const { body } = await machine.inject('/metrics')
  expect(body).toContain('portal_orphaned_files{state="deleted"} 1')
})

test('lists, payments and the audit log stay, however old they are', async () => {
  const figures =
    'select (select count(*) from transfer_payrolls) as payments, (select count(*) from transfer_master_list) as rows'
  const before = (await owner.query(figures)).rows
  await nextNight()
  await tidy(context)
  expect((await owner.query(figures)).rows).toEqual(before)
  await linkAudits(db, settings.secret, null)
  expect(await verifyAudits(db, settings.secret)).toMatchObject({ fault: null })
  expect(await verifyLedger(db)).toMatchObject({ faults: [] })
})

test('a reviewer keeps the documents of open cases and of cases that were decided within five years', async () => {
  const { filer, reviewer, fileCase } = await caseStage(portal)
  const make = async () => {
    const { id } = await fileCase(filer)
    await reviewer.upload('/admin/cases/file', {
      complain_id: id,
      description: 'Letter',
      file: new File([new Uint8Array(pdf)], 'letter.pdf'),
    })
    return id
  }
  const [open, recent, old] = [await make(), await make(), await make()]
  const decide = (id: number, days: number) =>
    owner.query(
      "update cases set status = 'resolved', decided_at = now() - make_interval(days => $2) where id = $1",
      [id, days],
    )
  await decide(recent, 1824)
  await decide(old, 1826)
  await owner.query("update cases set created_at = now() - interval '9 years'")
  await nextNight()
  await tidy(context)
  expect(await lastCounts()).toEqual({ 'case-documents': 1 })
  const document = async (id: number) =>
    (await owner.query('select id from case_documents where case_id = $1', [id])).rows[0].id
  expect((await reviewer.get(`/storage/documents/${await document(open)}`)).status).toBe(200)
  expect((await reviewer.get(`/storage/documents/${await document(recent)}`)).status).toBe(200)
  expect(await reviewer.get(`/storage/documents/${await document(old)}`)).toMatchObject({
    status: 404,
    body: { message: expect.stringContaining('The content of this file was deleted') },
  })
})

test('an import that is still open keeps its rows and its file', async () => {
  await owner.query("update imports set state = 'review'")
  await owner.query('update files set dropped_at = null')
  await owner.query(
    `insert into import_rows (import_id, "row", kind, cells) select id, 2, 'new', '{}' from imports`,
  )
  await nextNight()
  await tidy(context)
  expect(await count('import_rows')).toBe(1)
  expect(await count("files where name = 'list.xlsx' and dropped_at is null")).toBe(1)
  await owner.query("update imports set state = 'imported'")
})

test('of two workers one does the night, and after a crash another one ends it with the right counts', async () => {
  await owner.query(
    "delete from retention_runs; insert into mails (recipient, subject, state, created_at) select 'a@test.example', 's', 'sent', now() - interval '91 days' from generate_series(1, 2500)",
  )
  await Promise.all([tidy(context), tidy(context)])
  expect((await lastCounts()).letters).toBe(2500)
  expect(await count('retention_runs')).toBe(1)
  // A worker that crashed has counted 40 letters and not finished.
  await owner.query(`update retention_runs set finished_at = null, counts = '{"letters": 40}', leased_until = now() + interval '1 minute';
    insert into mails (recipient, subject, state, created_at) select 'a@test.example', 's', 'sent', now() - interval '91 days'`)
  await tidy(context)
  expect(await lastCounts()).toEqual({ letters: 40 })
  await owner.query("update retention_runs set leased_until = now() - interval '1 second'")
  await tidy(context)
  expect((await lastCounts()).letters).toBe(41)
})

test('an operator sets other days with PORTAL_KEEP_DAYS, and is told what is wrong', () => {
  const read = (text: string) =>
    readSettings({
      DATABASE_URL: 'postgresql://x/y',
      PORTAL_KEEP_DAYS: text,
      PORTAL_DATA_DIR: settings.dataDir,
    }).keepDays
  expect(read('letters=30, messages=60')).toMatchObject({
    letters: 30,
    messages: 60,
    notices: kept.notices.days,
  })
  expect(() => read('letter=30')).toThrow(
    'PORTAL_KEEP_DAYS names letter=30: write KIND=DAYS with one of sessions, letters,',
  )
  expect(() => read('sessions=3')).toThrow(
    'PORTAL_KEEP_DAYS names sessions=3: sessions are kept for 31 days at least.',
  )
})

test('a person reads in the documentation what is kept how long, as the portal does it', () => {
  const page = readFileSync(join(import.meta.dirname, '../../../docs/data-protection.md'), 'utf8')
  const row = (...cells: (string | number)[]) => `| ${cells.join(' | ')} |`
  const rows = [
    ...Object.entries(kept).map(([kind, { what, days, why }]) =>
      row(`\`${kind}\``, what, days === 1 ? '1 day' : `${days} days`, why),
    ),
    ...keptBriefly.map(({ what, end, why }) => row('', what, end, why)),
    ...traces.map(({ table, stays }) =>
      row(
        `\`${table}\``,
        stays
          ? [stays]
              .flat()
              .map(({ en }) => en)
              .join('; ')
          : 'nothing',
      ),
    ),
  ]
  expect(rows.filter((each) => !page.includes(each))).toEqual([])
})
