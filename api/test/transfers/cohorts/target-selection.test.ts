import { expect, test } from 'vitest'
import { dayFromNow, startStage } from '../../cohorts.ts'
import { bookOf, readyFile } from '../../exports/workbook.ts'
import { until } from '../../portal.ts'
import { addGuardian, addSelectable } from './selection-stage.ts'

const stage = await startStage(12)
const { portal, officer, ended } = stage
const { owner } = portal
const base = '/admin/transfers/target-selection'

await addSelectable(owner, officer.user.id)

const idOf = async (table: string, name: string) =>
  Number((await owner.query(`select id from ${table} where name = $1`, [name])).rows[0].id)
const [mali, senegal, khasso, kita] = [
  await idOf('regions', 'KAYES'),
  await idOf('regions', 'KOLDA'),
  await idOf('schools', 'Kayes Khasso 1'),
  await idOf('caps', 'CAP KITA'),
]
const count = async (query: string) => (await officer.get(`${base}?country=ml&${query}`)).body
const all = 'guardian=yes&not_held=yes'

test('an officer sees how many girls remain at each step, why others do not, and what a round costs', async () => {
  expect(await count(`region=${mali}&schools=${khasso}&levels=7&${all}&transfer_parameter_id=1`)).toEqual({
    steps: { country: 11, place: 11, schools: 11, levels: 8, conditions: 4 },
    left_out: [
      { reason: 'no_guardian', count: 2 },
      { reason: 'no_number', count: 1 },
      { reason: 'held', count: 1 },
    ],
    total: { amount: 42_000, fees: 840 },
    schools: [{ id: khasso, name: 'Kayes Khasso 1', girls: 11 }],
    levels: [
      { code: '7', girls: 8 },
      { code: '8', girls: 3 },
    ],
    last: null,
  })
  expect(await count('')).toMatchObject({
    steps: { country: 11, conditions: 11 },
    left_out: [{ reason: 'not_a_girl', count: 1 }],
    total: null,
  })
  expect((await count(`cap=${kita}`)).steps).toMatchObject({ country: 11, place: 0, conditions: 0 })
  expect((await count(`region=${senegal}`)).steps).toMatchObject({ country: 11, place: 0, conditions: 0 })
  expect((await officer.get(`${base}?country=sn`)).body.steps).toMatchObject({ country: 0, conditions: 0 })
})

test('attendance is that of her class over the days that were chosen, and girls of whom nothing is known are counted apart', async () => {
  expect(await count('attendance=80')).toMatchObject({
    steps: { levels: 11, conditions: 8 },
    left_out: [
      { reason: 'not_a_girl', count: 1 },
      { reason: 'attendance_unknown', count: 3 },
    ],
  })
  expect((await count('attendance=81')).left_out).toContainEqual({ reason: 'attendance_low', count: 8 })
  expect((await count('attendance=80&attendance_days=60')).left_out).toContainEqual({
    reason: 'attendance_low',
    count: 8,
  })
  // The day of forty days ago is none of the last forty.
  expect(await count('attendance=80&attendance_days=40')).toMatchObject({ steps: { conditions: 8 } })
  expect(await count('attendance=80&attendance_days=41')).toMatchObject({ steps: { conditions: 0 } })
  // A report of the whole school counts for the class that has none of its own.
  await owner.query(`
    insert into attendance (school_id, date, who, class, enrolled, present, reported_at)
    select id, (now() at time zone 'utc')::date - 1, 'learners', 'ALL', 100, 50, now() from schools where admin_code = 'KYS-001'`)
  expect(await count('attendance=50')).toMatchObject({ steps: { conditions: 11 } })
  expect((await count('attendance=51')).left_out).toContainEqual({ reason: 'attendance_low', count: 3 })
})

test('a girl on hold until today is left out, and one whose hold has ended or was released is not', async () => {
  await owner.query(
    `insert into payee_holds (student_id, reason, user_id, created_at, ends_on)
     select s.id, 'For some days', $1, now() - interval '3 days', (now() at time zone 'utc')::date + h.days
     from students s join (values ('KYS-000011', 0), ('KYS-000012', -1), ('KYS-000009', 9)) h (code, days) on h.code = s.student_code`,
    [officer.user.id],
  )
  await owner.query(
    `update payee_holds set released_at = now(), released_by = $1
     where student_id = (select id from students where student_code = 'KYS-000009')`,
    [officer.user.id],
  )
  const { body } = await officer.get(`${base}/left-out?country=ml&not_held=yes&levels=8&sort=student_code`)
  expect(body.students.data).toMatchObject([
    { student_code: 'KYS-000010', reason: 'not_a_girl' },
    { student_code: 'KYS-000011', reason: 'held' },
  ])
})

test('an officer lists who is left out, by reason and by name, and the log says that she searched', async () => {
  const list = async (query: string) =>
    (await officer.get(`${base}/left-out?country=ml&${all}&sort=student_code&${query}`)).body.students
  expect((await list('levels=7')).data).toMatchObject([
    { student_code: 'KYS-000001', reason: 'no_number', school_name: 'Kayes Khasso 1', class_level: '7' },
    { student_code: 'KYS-000005', reason: 'held' },
    { student_code: 'KYS-000007', reason: 'no_guardian' },
    { student_code: 'KYS-000008', reason: 'no_guardian' },
  ])
  expect(await list('reason=not_a_girl')).toMatchObject({ total: 1, data: [{ student_code: 'KYS-000010' }] })
  expect(await list('search=000005')).toMatchObject({ total: 1, data: [{ reason: 'held' }] })
  const { rows } = await owner.query(
    "select new_values from audits a join audit_values v on v.audit_id = a.id where event = 'searched' and user_id = $1",
    [officer.user.id],
  )
  expect(rows).toMatchObject([{ new_values: { found: 1 } }])
})

const form = (more: object = {}) => ({
  name: 'Kayes from the register',
  description: 'Term 2',
  from: dayFromNow(0),
  to: dayFromNow(27),
  transfer_agency_id: 1,
  transfer_parameter_id: 1,
  country: 'ml',
  levels: '7',
  guardian: 'yes',
  not_held: 'yes',
  ...more,
})

test('a selection becomes a cohort by the same import as a file; made twice, it is the same cohort', async () => {
  const stop = await portal.worker()
  const made = await officer.post(`${base}/cohort?review=0`, form())
  expect(made).toMatchObject({ status: 200, body: { cohort: { name: 'Kayes from the register' } } })
  expect(await ended(made.body.import.id)).toMatchObject({
    state: 'imported',
    rows_imported: 4,
    file_name: 'target-list-kayes-from-the-register.xlsx',
  })
  const { rows } = await owner.query(
    'select student_code, receiver_last_name, receiver_phone_number, amount from transfer_master_list where cohort_id = $1 order by 1',
    [made.body.cohort.id],
  )
  // The first guardian of the register is not the recipient if only a later one has a number of the country.
  expect(rows).toEqual(
    [
      ['KYS-000002', 'Second number', '+22376000002'],
      ['KYS-000003', 'Second number', '+22376000002'],
      ['KYS-000004', 'First number', '+22376000003'],
      ['KYS-000006', 'First number', '+22376000003'],
    ].map(([student_code, receiver_last_name, receiver_phone_number]) => ({
      student_code,
      receiver_last_name,
      receiver_phone_number,
      amount: 10_500,
    })),
  )
  // The form of the page sends its lists as it has read them.
  const again = await officer.post(`${base}/cohort`, form({ levels: ['7'] }))
  expect(again.body).toMatchObject({ cohort: made.body.cohort, import: made.body.import })
  expect(again.body.message).toContain('uploaded before')
  // The log and the import say from which selection it was made.
  const selection = { country: 'ml', levels: ['7'], guardian: 'yes', not_held: 'yes', attendance_days: 30 }
  const { rows: audited } = await owner.query(
    "select new_values from audits a join audit_values v on v.audit_id = a.id where event = 'uploaded' and auditable_type = 'cohort' and auditable_id = $1",
    [made.body.cohort.id],
  )
  expect(audited).toMatchObject([{ new_values: { selection } }])
  await stop()

  // Next term she runs it again: one girl has a guardian now, and one is on hold.
  await addGuardian(owner, 'New guardian', ['+22376000007', null], [7])
  await owner.query(
    `insert into payee_holds (student_id, reason, user_id) select id, 'Moved', $1 from students where student_code = 'KYS-000006'`,
    [officer.user.id],
  )
  expect(await count('levels=7&guardian=yes&not_held=yes')).toMatchObject({
    steps: { conditions: 4 },
    last: { cohort_id: made.body.cohort.id, name: 'Kayes from the register', added: 1, gone: 1 },
  })
  // Another selection was not made before.
  expect(await count('levels=7&guardian=yes')).toMatchObject({ last: null })
  // Of a list that was rejected nobody is paid.
  await owner.query("update transfer_cohorts set status = 'rejected', decided_at = now() where id = $1", [
    made.body.cohort.id,
  ])
  expect(await count('levels=7&guardian=yes&not_held=yes')).toMatchObject({ last: null })
})

test('girls without a guardian are rows to correct in the review when the condition is not chosen', async () => {
  const stop = await portal.worker()
  const made = await officer.post(
    `${base}/cohort?review=1`,
    form({ name: 'All of level 7', guardian: undefined }),
  )
  const review = await until(async () => {
    const { body } = await officer.get(`/imports/${made.body.import.id}`)
    return body.import?.state === 'review' && body.import
  })
  expect(review).toMatchObject({ rows_read: 6, rows_rejected: 2 })
  expect(review.errors).toContainEqual(
    expect.objectContaining({ column: 'receiver_phone_number', value: '+221771234567' }),
  )
  await stop()
})

test.each<[string, object, number, object]>([
  [
    'an agency of another country',
    { country: 'sn', levels: undefined },
    422,
    { transfer_agency_id: [expect.stringContaining('another country')] },
  ],
  [
    'an agency that does not exist',
    { transfer_agency_id: 99 },
    422,
    { transfer_agency_id: [expect.any(String)] },
  ],
  ['a period that ends before it begins', { to: dayFromNow(-1) }, 422, { to: [expect.any(String)] }],
  ['attendance above 100 %', { attendance: 101 }, 422, { attendance: [expect.any(String)] }],
  [
    'more schools than a selection names',
    { schools: Array.from({ length: 201 }, (_, n) => n + 1).join() },
    422,
    { schools: [expect.any(String)] },
  ],
  ['a school that is no number', { schools: 'x' }, 422, { 'schools.0': [expect.any(String)] }],
  ['no girl at all', { levels: '9' }, 409, {}],
])('a selection with %s is refused, and nothing is made', async (_, more, status, errors) => {
  const before = (await owner.query('select count(*) as n from imports')).rows
  const refused = await officer.post(`${base}/cohort`, form({ name: 'Refused', ...more }))
  expect(refused.status).toBe(status)
  expect(refused.body.errors ?? {}).toMatchObject(errors)
  expect((await owner.query('select count(*) as n from imports')).rows).toEqual(before)
})

test('a bank is refused with what to do, and the file for it has empty accounts', async () => {
  await owner.query("update transfer_agencies set type = 'bank' where id = 1")
  const refused = await officer.post(`${base}/cohort`, form({ name: 'Bank' }))
  await owner.query("update transfer_agencies set type = 'mobile_money' where id = 1")
  expect(refused.body.errors.transfer_agency_id[0]).toContain('Save the list as Excel')

  await owner.query("update users set last_name = '=HYPERLINK(\"x\")' where last_name = 'First number'")
  const stop = await portal.worker()
  const { country, levels, guardian, not_held } = form()
  const asked = await officer.post(`${base}/export`, { country, levels, guardian, not_held, type: 'bank' })
  const file = await readyFile(officer, asked.body.file_name)
  await stop()
  const book = await bookOf(file)
  const values = [1, 4].map((row) =>
    (book.getWorksheet(1)?.getRow(row).values as unknown[] | undefined)?.slice(1),
  )
  expect(values[0]).toEqual([
    'Receiver first name',
    'Receiver last name',
    'Receiver phone number',
    'Student code',
    'Amount',
    'Receiver account',
    'Receiver bank',
  ])
  // A name that looks like a formula stays a text.
  expect(values[1]).toEqual(['Fatoumata', '\'=HYPERLINK("x")', '+22376000003', 'KYS-000004'])
  const { rows } = await owner.query(
    "select new_values from audits a join audit_values v on v.audit_id = a.id where event = 'exported' and auditable_type = 'target selection'",
  )
  expect(rows).toMatchObject([{ new_values: { row_count: 4, selection: { country: 'ml' } } }])
})

test('whoever may not create cohorts cannot count, list, make or export', async () => {
  const auditor = await portal.signedIn('transfers.view', 'cohorts.approve', 'cohorts.export')
  const answers = [
    await auditor.get(`${base}?country=ml`),
    await auditor.get(`${base}/left-out?country=ml`),
    await auditor.post(`${base}/cohort`, form()),
    await auditor.post(`${base}/export`, { country: 'ml' }),
  ]
  expect(answers.map(({ status }) => status)).toEqual([403, 403, 403, 403])
})

test('girls of a class with letters of Bambara are selected by the attendance of their class', async () => {
  await owner.query("update classes set name = 'Kalanso ɲɛ ŋ' where name = '8A'")
  await owner.query(`
    insert into attendance (school_id, date, who, class, enrolled, present, reported_at)
    select id, (now() at time zone 'utc')::date - 1, 'learners', 'KALANSOƝƐŊ', 10, 9, now() from schools where admin_code = 'KYS-001'`)
  expect(await count('levels=8&attendance=90')).toMatchObject({ steps: { levels: 3, conditions: 3 } })
  const { body } = await officer.get(`${base}/left-out?country=ml&levels=8&attendance=90`)
  expect(body.students.data).toMatchObject([{ reason: 'not_a_girl' }])
})
