import { afterAll, beforeAll, expect, test } from 'vitest'
import { type Portal, startPortal } from '../../test/portal.ts'
import { type Agency, startAgency } from '../../test/transfers/agencies/agency.ts'
import { checkTargetRow } from '../transfers/cohorts/target-list.import.ts'
import { demoPassword } from './accounts.seed.ts'
import { makeDemo } from './demo.service.ts'
import { checkDemoMarker, markEmpty } from './marker.service.ts'
import { makeRegisters } from './registers.seed.ts'
import { makeTargetList } from './target-list.ts'

let portal: Portal
let agency: Agency
const nowhere = 'http://127.0.0.1:9'

beforeAll(async () => {
  agency = await startAgency({ SANDBOX_AGENCY_SEED: 'yes' })
  portal = await startPortal({ demoSize: 'small', agencyHosts: [agency.host] })
  // No agency answers at this address, so the demo is made and its ledger waits for the next start. The process stands
  // still for longer than other transactions may be idle, as it does on a busy machine.
  const tell = (line: string) => {
    if (line === 'Cases and attendance') Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, 6_000)
  }
  await makeDemo(portal.context, { agencyUrl: nowhere, tell })
})
afterAll(() => agency.close())

const rows = async (text: string) => (await portal.owner.query(text)).rows
const figures = () =>
  rows(`select (select count(*)::int from users) as users, (select count(*)::int from students) as students,
    (select count(*)::int from schools) as schools, (select count(*)::int from transfer_payrolls) as payments,
    (select count(*)::int from cases) as cases, (select count(*)::int from attendance) as attendance,
    (select md5(string_agg(student_code || user_id, ',' order by id)) from students) as codes`)

test('the same seed makes the same people, another day only other dates', () => {
  const first = makeRegisters('small', '2026-11-20')
  expect(makeRegisters('small', '2026-11-20')).toEqual(first)
  const names = (day: string) =>
    makeRegisters('small', day).students.map((student) => `${student.first_name} ${student.student_code}`)
  expect(names('2031-02-03')).toEqual(names('2026-11-20'))
})

test('the full demo has 200 schools and 15,000 students, each code and number once', () => {
  const { schools, students, guardians, teachers, classes } = makeRegisters('full', '2026-11-20')
  expect([schools.length, students.length]).toEqual([200, 15_000])
  expect(new Set(students.map((student) => student.student_code)).size).toBe(15_000)
  expect(new Set(schools.map((school) => school.admin_code)).size).toBe(200)
  const phones = [
    ...guardians.map((guardian) => guardian.contact_1),
    ...teachers.map((teacher) => teacher.phone_1),
  ]
  expect(new Set(phones).size).toBe(phones.length)
  expect(phones.filter((phone) => !/^(\+223[67]\d{7}|\+2217\d{8})$/.test(phone))).toEqual([])
  const endings = Map.groupBy(phones, (phone) => phone.slice(-2))
  for (const never of ['00', '01', '07', '08', '09']) expect(endings.has(never)).toBe(false)
  for (const few of ['02', '03', '04', '05', '06']) expect(endings.get(few)?.length).toBeLessThan(10)
  expect(students.every((student) => student.date_of_birth < '2026-11-20')).toBe(true)
  expect(new Set(teachers.flatMap((teacher) => teacher.classes)).size).toBe(classes.length)
})

test('what is made is what was asked for, and made once', async () => {
  const before = await figures()
  expect(before[0]).toMatchObject({ students: 1000, schools: 20, payments: 3000 })
  expect(await makeDemo(portal.context, { agencyUrl: agency.url })).toBe(false)
  expect(await figures()).toEqual(before)
})

test('every case was filed at the moment it says, each at its own, and what follows comes later', async () => {
  expect(
    await rows(`select c.number from cases c where (select count(*) from case_events e
      where e.case_id = c.id and e.act = 'filed' and e.created_at = c.created_at) <> 1
      or exists (select from case_events e where e.case_id = c.id and e.created_at < c.created_at)`),
  ).toEqual([])
  // Those of today may all be filed now.
  expect(
    await rows(`select to_char(created_at, 'HH24:MI') from cases where created_at < current_date - 1
      group by 1 having count(*) > 1`),
  ).toEqual([])
})

test('the students of the demo are girls, as its texts say', async () => {
  expect(
    await rows(
      `select s.id from students s join users u on u.id = s.user_id where u.gender is distinct from 'female'`,
    ),
  ).toEqual([])
})

test('every case that somebody looked into has a document, shared with whoever was asked', async () => {
  expect(
    await rows(`select c.number from cases c where c.status <> 'new'
      and not exists (select from case_documents d join files f on f.id = d.file_id where d.case_id = c.id)`),
  ).toEqual([])
  expect(
    await rows(`select r.id from referrals r where not exists (
      select from referral_documents d where d.referral_id = r.id)`),
  ).toEqual([])
})

test('the ledger of the agency and the portal agree on every past payment', async () => {
  const payments = await rows(`select p.reference, a.idempotency_key::text as key, p.amount::int, p.status
    from transfer_payrolls p join payment_attempts a on a.payroll_id = p.id order by p.id`)
  const ledger = new Map((await agency.ledger()).map((line) => [line.key, line]))
  expect(ledger.size).toBe(payments.length)
  for (const { reference, key, amount, status } of payments) {
    expect(ledger.get(key)).toMatchObject({
      reference,
      amount,
      result: status,
      executed: status === 'success' ? 1 : 0,
    })
  }
  const summary = (await (await fetch(`${agency.url}/ledger/summary`)).json()) as { executed_amount: number }
  const [{ disbursed, arrears, expected }] =
    await rows(`select sum(success_amount)::int as disbursed, sum(failed_amount)::int as arrears,
    sum(expected_amount)::int as expected from transfer_payroll_groups`)
  expect(summary.executed_amount).toBe(disbursed)
  expect(arrears).toBeGreaterThan(0)
  expect(disbursed + arrears).toBe(expected)
})

test('the counters of every round are the sums of its entries', async () => {
  const wrong = await rows(`select g.id from transfer_payroll_groups g join lateral (
      select count(*) as total, count(*) filter (where status = 'success') as success, count(*) filter (where status = 'failed') as failed,
        coalesce(sum(amount) filter (where status = 'success'), 0) as paid, coalesce(sum(fees) filter (where status = 'success'), 0) as fees
      from transfer_payrolls where payroll_group_id = g.id
    ) p on true
    where (g.total, g.success, g.failed, g.success_amount, g.success_fees) is distinct from (p.total, p.success, p.failed, p.paid, p.fees)
      or g.pending + g.sending + g.unknown > 0 or g.executed_at is null or g.executed_at > now()`)
  expect(wrong).toEqual([])
})

test('past periods are over, all their rounds made, and one active Malian agency is the sandbox', async () => {
  expect(
    await rows(`select c.name from transfer_cohorts c left join transfer_rounds r on r.cohort_id = c.id
      where c.status = 'approved' and (c."to" >= (now() at time zone 'utc')::date or r.state <> 'made'
        or (select count(*) from transfer_rounds where cohort_id = c.id) <> c.rounds_total)`),
  ).toEqual([])
  expect(
    await rows(
      `select endpoint from transfer_agencies where status = 'active' and country = 'ml' and type = 'mobile_money'`,
    ),
  ).toEqual([{ endpoint: agency.url }])
  expect(
    await rows(`select s.id from students s where not exists (
    select 1 from transfer_master_list m join transfer_cohorts c on c.id = m.cohort_id and c.status = 'approved' where m.student_id = s.id)`),
  ).toEqual([])
})

test.each(['admin', 'officer', 'approver', 'school', 'reviewer', 'auditor'])(
  '%s@portal.example signs in',
  async (name) => {
    const visitor = await portal.visitor()
    const answer = await visitor.post('/login', { email: `${name}@portal.example`, password: demoPassword })
    expect(answer.status).toBe(200)
  },
)

test('the waiting list can be approved by the approver', async () => {
  const [{ id, list_hash }] = await rows(
    `select id, list_hash from transfer_cohorts where status = 'pending'`,
  )
  const approver = await portal.visitor()
  await approver.post('/login', { email: 'approver@portal.example', password: demoPassword })
  const answer = await approver.post(`/admin/transfers/cohorts/${id}/approve`, {
    action: 'approved',
    list_hash,
  })
  expect(answer.status).toBe(200)
  expect(await rows(`select pending from transfer_payroll_groups where cohort_id = ${id}`)).toEqual([
    { pending: 40 },
  ])
})

test('a target list has as many students as asked for, every row fit for a Malian agency', async () => {
  const list = await makeTargetList(portal.db, { count: 1000 })
  expect(new Set(list.map((row) => row.student_code)).size).toBe(1000)
  const rules = {
    country: 'ml',
    type: 'mobile_money',
    files: false,
    defaultAmount: 10_500,
    maxAmount: 2_000_000,
  } as const
  expect(list.filter((row) => 'errors' in checkTargetRow({ ...row }, rules))).toEqual([])
  expect(await makeTargetList(portal.db, { count: 5, skip: 10 })).toEqual(list.slice(10, 15))
})

test('a demo refuses to start as the real thing, and the reverse', async () => {
  await expect(checkDemoMarker(portal.db, false)).rejects.toThrow('PORTAL_DEMO=true')
  await portal.clear()
  await markEmpty(portal.db)
  await expect(makeDemo(portal.context, { agencyUrl: agency.url })).rejects.toThrow('PORTAL_DEMO=false')
  expect(await figures()).toMatchObject([{ users: 0, students: 0 }])
})
