import { readdirSync, readFileSync, statSync } from 'node:fs'
import { join } from 'node:path'
import exceljs from 'exceljs'
import { beforeAll, expect, test } from 'vitest'
import { linkAudits, verifyAudits } from '../../src/kit/audit/audit-chain.ts'
import { traces, withoutPeople } from '../../src/privacy/traces.ts'
import { verifyLedger } from '../../src/transfers/ledger/ledger-check.service.ts'
import { dayFromNow, recipient, startStage } from '../cohorts.ts'
import { runCommand } from '../commands.ts'
import { until } from '../portal.ts'
import { code, girl, guardian, liveThrough, phone, settled, tablesWith } from '../registers/known-girl.ts'

const stage = await startStage(6)
const { portal } = stage
const { db, owner, settings } = portal
const run = (name: string, ...words: string[]) => runCommand(settings, name, words)
const erase = (...words: string[]) => run('person-erase', ...words)

let story = { cohort: 0, file: 0, number: '', document: 0, namesake: '', message: '' }

async function verified() {
  await linkAudits(db, settings.secret, null)
  expect(await verifyAudits(db, settings.secret)).toMatchObject({ fault: null, unlinked: 0 })
  expect(await verifyLedger(db)).toMatchObject({ faults: [] })
}

beforeAll(async () => {
  story = await liveThrough(stage)
}, 120_000)

test('a developer who adds a table has to say whether people are in it', async () => {
  const { rows } = await owner.query(
    "select tablename as name from pg_tables where schemaname = 'public' and tablename not in ('migrations', 'migration_lock')",
  )
  const placed = [...traces.map(({ table }) => table), ...withoutPeople]
  expect(rows.map(({ name }) => name).sort()).toEqual([...new Set<string>(placed)].sort())
  expect(new Set(placed).size).toBe(placed.length)
})

test('an owner exports everything about a girl into a folder that only she can read, and the log says so', async () => {
  const to = join(settings.dataDir, 'people', 'girl')
  const made = await run('person-export', '--student', code, '--case', story.number, '--to', to)
  expect(made).toMatchObject({ code: 0, out: expect.stringContaining(`documents are in ${to}`) })
  expect(made.out).toContain(story.namesake)
  expect(statSync(to).mode & 0o777).toBe(0o700)
  expect(readdirSync(to).sort()).toEqual(['documents', 'person.json', 'person.xlsx'])
  for (const name of ['person.json', 'person.xlsx', `documents/${story.document}-kadiatou.pdf`])
    expect(statSync(join(to, name)).mode & 0o777, name).toBe(0o600)
  const json = JSON.parse(readFileSync(join(to, 'person.json'), 'utf8'))
  expect(json.users).toMatchObject([girl])
  expect(json.students).toMatchObject([{ student_code: code, school: 'Kayes Khasso 1' }])
  expect(json.parent_students).toMatchObject([{ student_code: code, guardian: 'Coulibaly 1 Fatoumata' }])
  expect(json.transfer_payrolls).toMatchObject([
    { receiver_phone_number: phone, amount: 10_500, cohort: 'Kayes, term 1' },
  ])
  expect(json.cases).toMatchObject([{ number: story.number }])
  expect(json.synced_messages).toMatchObject([{ message_id: story.message }])
  expect(json.audits.map(({ event }: { event: string }) => event)).toContain('opened')
  expect(JSON.stringify(json)).not.toMatch(/Coulibaly 2|password_hash/)
  const book = new exceljs.Workbook()
  await book.xlsx.readFile(join(to, 'person.xlsx'))
  expect(book.worksheets.map(({ name }) => name)).toEqual(
    expect.arrayContaining(['content', 'students', 'transfer payrolls', 'cases']),
  )
  const { rows } = await owner.query(
    "select a.auditable_type, v.new_values from audits a join audit_values v on v.audit_id = a.id where a.event = 'person exported'",
  )
  expect(rows).toMatchObject([
    { auditable_type: 'student', new_values: { document_count: 1, rows: { students: 1 } } },
  ])
  expect((await run('person-export', '--student', code, '--to', to)).code).toBe(1)
})

test('an owner who names nobody, two people or a stranger is told how to write it', async () => {
  const usage =
    'Write: npm run person:erase -- --student CODE (or --guardian ID, --teacher NUMBER, --user E-MAIL, --expert E-MAIL)\n'
  expect(await erase()).toMatchObject({ code: 1, err: usage })
  expect(await erase('--student', code, '--user', 'awa@example.org')).toMatchObject({ code: 1, err: usage })
  expect(await erase('--pupil', code)).toMatchObject({ code: 1, err: usage })
  expect(await erase('--student', 'KYS-9')).toMatchObject({
    code: 1,
    err: 'The portal knows no student KYS-9.\n',
  })
  expect(await erase('--student', code, '--case', 'X')).toMatchObject({
    code: 1,
    err: 'The portal knows no case X.\n',
  })
})

test('an owner cannot erase an active account, nor a girl whose case is open or whose namesake has one', async () => {
  const { err } = await erase('--user', 'awa@example.org')
  expect(err).toContain('The account is active: deactivate it first, so that others take over its work.')
  const girls = await erase('--student', code, '--case', story.number)
  expect(girls.code).toBe(1)
  expect(girls.err).toContain('Nothing was erased.')
  expect(girls.err).toContain(`The case ${story.number} is open: resolve or reject it first.`)
  expect(girls.err).toContain(`add --case ${story.namesake} or --other-case ${story.namesake}.`)
  expect(await tablesWith(portal, code)).toContain('public.students')
})

test('an owner cannot erase a girl on a list that waits, or with a payment whose outcome is not known', async () => {
  const waiting = await stage.imported('Kayes, waiting', [recipient(4)])
  expect((await erase('--student', 'KYS-000004')).err).toContain(
    'The list of cohort "Kayes, waiting" waits for its approval: approve or reject it first.',
  )
  // 99 as the last digits: the agency never answers.
  await stage.agency.set({ hostile: [], unreachable: true })
  expect((await stage.approve(waiting)).status).toBe(200)
  const { err } = await erase('--student', 'KYS-000004')
  expect(err).toMatch(
    /The payment [0-9a-f]{32} of cohort "Kayes, waiting" is (pending|sending|unknown): wait until its outcome is known/,
  )
  const { rows } = await owner.query("select id from transfer_master_list where student_code = 'KYS-000004'")
  await expect(owner.query('select erase_recipients($1, true)', [[rows[0].id]])).rejects.toThrow(
    /transfer_payrolls_erased/,
  )
  await expect(db.pool.query('select erase_recipients($1, true)', [[rows[0].id]])).rejects.toThrow(
    /permission denied/,
  )
  await expect(db.pool.query('update transfer_master_list set erased_at = now()')).rejects.toThrow(
    /permission denied/,
  )
  await expect(db.pool.query('update import_corrections set old_value = null')).rejects.toThrow(
    /permission denied/,
  )
  await stage.agency.set({ hostile: [], unreachable: false })
  expect((await erase('--student', 'KYS-000003')).err).toMatch(
    /The payment [0-9a-f]{32} of cohort "Kayes, term 1" failed and is arrears: have it made again or write it off, then erase/,
  )
})

test('a girl is erased: nothing finds her any more, her payments stay, and log and ledger verify', async () => {
  const { reviewer } = await ready()
  const before = await payments()
  const all = await portal.signedInAs('Administrator')
  expect((await all.get(`/admin/schools/students/list?search=${girl.last_name}`)).body.students.total).toBe(1)
  const erased = await erase('--student', code, '--case', story.number, '--other-case', story.namesake)
  expect(erased).toMatchObject({ code: 0, err: '' })

  expect(await tablesWith(portal, code)).toEqual([])
  expect(await tablesWith(portal, girl.first_name)).toEqual(['public.cases', 'public.audit_values'].sort())
  const { rows: stays } = await owner.query("select number from cases where description ilike '%kadiatou%'")
  expect(stays).toEqual([{ number: story.namesake }])
  expect(await tablesWith(portal, phone)).toEqual(['public.parents'])
  for (const text of [girl.last_name, girl.first_name, code])
    expect((await all.get(`/admin/schools/students/list?search=${text}`)).body.students.total, text).toBe(0)
  const file = await stage.officer.get(`/imports/${story.file}/file`)
  expect(file).toMatchObject({
    status: 404,
    body: { message: expect.stringContaining('The content of this file was deleted') },
  })
  expect((await reviewer.get(`/storage/documents/${story.document}`)).status).toBe(404)
  const { rows: kept } = await owner.query('select key from files where dropped_at is null')
  expect(storedFiles()).toEqual(kept.map(({ key }) => key).sort())
  expect(await payments()).toEqual(before)
  await verified()
  const { rows } = await owner.query(
    "select v.new_values from audits a join audit_values v on v.audit_id = a.id where a.event = 'person erased'",
  )
  expect(rows).toMatchObject([{ new_values: { list_rows: 1, case_count: 1 } }])
  const again = await erase('--student', code)
  expect(again.err).toBe(`The portal knows no student ${code}.\n`)
})

test('a guardian is erased after her girl, and a list from which people were erased pays the others', async () => {
  // One statement has a line of hers for no payment of ours. The other one was withdrawn, and nobody knows its lines any more.
  const [line, withdrawn] = [await statement('line'), await statement('withdrawn')]
  const path = `/admin/transfers/statements/${withdrawn}/withdraw`
  expect((await stage.officer.post(path, { reason: 'Of another programme' })).status).toBe(200)
  expect((await erase('--guardian', guardian)).code).toBe(0)
  const { rows: files } = await owner.query(
    'select s.id::int, f.key, f.dropped_at is not null as dropped from agency_statements s join files f on f.id = s.file_id order by s.id',
  )
  expect(files).toMatchObject([
    { id: line, dropped: true },
    { id: withdrawn, dropped: true },
  ])
  expect(storedFiles().filter((key) => files.some((file) => file.key === key))).toEqual([])
  expect(await tablesWith(portal, guardian)).toEqual([])
  expect(await tablesWith(portal, phone)).toEqual([])
  await verified()
})

test('a list pays the other girls after one of them was erased, and nobody can pay the erased one', async () => {
  const id = await stage.imported('Kayes, two rounds', [recipient(5), recipient(6)], {
    from: dayFromNow(0),
    to: dayFromNow(58),
  })
  const approved = await stage.approve(id)
  expect(approved.status).toBe(200)
  await settled(stage, id)
  const { rows: plan } = await owner.query(
    'select n, state from transfer_rounds where cohort_id = $1 order by n',
    [id],
  )
  const next = plan.find(({ state }) => state === 'scheduled')
  expect(next).toBeDefined()
  expect((await erase('--student', 'KYS-000005')).err).toContain(
    'Cohort "Kayes, two rounds" has rounds to come (1): add --stop-paying if this person is to get nothing of them.',
  )
  expect((await erase('--student', 'KYS-000005', '--stop-paying')).code).toBe(0)
  await owner.query(
    "update transfer_rounds set due_on = (now() at time zone 'utc')::date where cohort_id = $1 and n = $2",
    [id, next.n],
  )
  const round = await until(async () => {
    const { rows } = await owner.query(
      'select * from transfer_payroll_groups where cohort_id = $1 and n = $2 and executed_at is not null',
      [id, next.n],
    )
    return rows[0]
  })
  expect(round).toMatchObject({ total: 1, success: 1, expected_amount: 10_500 })
  await verified()

  // Of the erased one it is said that nothing is made for her, and the counts are those of all rows of the list.
  const { approver } = stage
  const read = async (path: string) => (await approver.get(`/admin/transfers/cohorts/${id}/${path}`)).body
  const { cohort } = await read('summary')
  expect(cohort.master_list_statuses).toMatchObject({ pending: 0, success: 1, erased: 1 })
  expect(cohort.transfer_master_list.data.map(({ status }: { status: string }) => status).toSorted()).toEqual(
    ['erased', 'success'],
  )
  expect(cohort.payable).toEqual({ count: 1, amount: 10_500, fees: round.success_fees })
  expect((await read('payrolls')).cohort.payable).toEqual(cohort.payable)
  for (const [status, total] of [
    ['erased', 1],
    ['pending', 0],
    ['success', 1],
  ])
    expect((await read(`summary?status=${status}`)).cohort.transfer_master_list.total, `${status}`).toBe(
      total,
    )

  // She keeps nobody from closing the cohort.
  expect((await read('closing')).open).toEqual([])
  const closed = await approver.post(`/admin/transfers/cohorts/${id}/close`, { reason: 'All is paid' })
  expect(closed.status).toBe(200)
})

test('an operator who verifies the ledger finds a list that was changed by hand after an erasure', async () => {
  const change = (name: string) =>
    owner.query(`alter table transfer_master_list disable trigger list_is_frozen_update;
      update transfer_master_list set receiver_last_name = '${name}' where student_code = 'KYS-000002';
      alter table transfer_master_list enable trigger list_is_frozen_update`)
  await change('Somebody else')
  expect((await verifyLedger(db)).faults).toEqual([
    expect.stringContaining('its list is not the one that was approved'),
  ])
  await change('Coulibaly 2')
  await verified()
})

/** Uploads a statement with a line of the guardian's number, and waits until it is compared. */
async function statement(name: string): Promise<number> {
  const line = [name, phone, 500, 5, `${dayFromNow(0)}T00:00:00Z`].join(';')
  const sent = await stage.officer.upload('/admin/transfers/statements', {
    statement_file: new File([`Transaction id;Mobile;Amount;Fee;Timestamp\r\n${line}`], `${name}.csv`),
    transfer_agency_id: 1,
    from: '2020-01-01',
    to: '2020-01-31',
  })
  const { id } = sent.body.statement
  await until(async () => {
    const { body } = await stage.officer.get(`/admin/transfers/statements/${id}`)
    return body.statement.state === 'open'
  })
  return id
}

/** The case of the girl is resolved, so that it can be erased. */
async function ready() {
  const { rows } = await owner.query('select id from cases where number = $1', [story.number])
  const reviewer = await portal.signedIn('cases.view', 'cases.manage')
  await owner.query(
    "update cases set status = 'resolved', decided_at = now(), verdict = 'Paid to Kadiatou' where id = $1",
    [rows[0]?.id],
  )
  return { reviewer }
}

/** What accounting law needs of the payments of the first cohort. */
async function payments() {
  const { rows } = await owner.query(
    `select p.reference, p.amount, p.fees, p.status, p.external_trx_id, p.created_at, a.idempotency_key, c.list_hash
     from transfer_payrolls p join payment_attempts a on a.payroll_id = p.id join transfer_payroll_groups g on g.id = p.payroll_group_id
       join transfer_cohorts c on c.id = g.cohort_id where c.id = $1 order by p.id, a.n`,
    [story.cohort],
  )
  expect(rows).toHaveLength(3)
  return rows
}

/** Keys of the files on the disk. */
const storedFiles = () =>
  readdirSync(join(settings.dataDir, 'files', 'kept'), { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map(({ name }) => name)
    .sort()
