import { expect, test } from 'vitest'
import { settlePast } from '../../../src/demo/transfers.seed.ts'
import { foldMonths } from '../../../src/home/trends.service.ts'
import { verifyLedger } from '../../../src/transfers/ledger/ledger-check.service.ts'
import { rebuildPaymentTotals } from '../../../src/transfers/ledger/payment-totals.service.ts'
import { untilLocked } from '../../locks.ts'
import { addPeople, addRound } from '../../people.ts'
import { startPortal } from '../../portal.ts'

const portal = await startPortal()
const { owner } = portal
const size = 6000
const { officer } = await addPeople(portal.db, size, 'http://127.0.0.1:9')

test('an approver’s round of a large cohort is made in statements that stay below their time limit', async () => {
  await owner.query(`
    create table made_at_once (payments int not null);
    create function note_made() returns trigger language plpgsql security definer as $$
    begin
      insert into made_at_once select count(*) from added;
      return null;
    end $$;
    create trigger note_made after insert on transfer_payrolls
      referencing new table as added for each statement execute function note_made()`)
  const { round } = await addRound(portal.db, officer, size, 'Kayes')
  const { rows } = await owner.query(
    'select max(payments) as most, sum(payments)::int as made from made_at_once',
  )
  expect(rows[0].made).toBe(size)
  expect(rows[0].most).toBeLessThanOrEqual(5000)
  const { rows: group } = await owner.query(
    'select total, pending, expected_amount from transfer_payroll_groups where id = $1',
    [round],
  )
  expect(group).toEqual([{ total: size, pending: size, expected_amount: size * 10_500 }])
})

/** The francs of each CAP on the home page. */
const home = async () => {
  const { body } = await (await portal.signedIn()).get('/home/statistics')
  return Object.fromEntries(
    body.disbursementByCap.map((cap: { admin_district_as_cap: string; total_disbursed: number }) => [
      cap.admin_district_as_cap,
      cap.total_disbursed,
    ]),
  )
}
const faults = async () => (await verifyLedger(portal.db)).faults

test('a person reads the money by CAP from totals, while every payment is locked', async () => {
  await portal.db.transaction().execute((tx) => settlePast(tx))
  const person = await portal.signedIn()
  const tables = ['transfer_payrolls', 'payment_attempts', 'transfer_master_list', 'students']
  await owner.query(`begin; lock table ${tables.join(', ')} in access exclusive mode`)
  const read = await person.get('/home/statistics').finally(() => owner.query('rollback'))
  expect(read).toMatchObject({
    status: 200,
    body: {
      totalDisbursed: size * 10_500,
      disbursementByCap: [{ admin_district_as_cap: 'CAP KAYES', total_disbursed: size * 10_500 }],
    },
  })
})

test('a person sees the money of a girl in the CAP of her school, after she and then the school have moved', async () => {
  await owner.query(`
    insert into caps (academy_id, name) select id, 'CAP KITA' from academies;
    insert into schools (name, admin_code, type_of_school, cap_id, academic_year)
      select 'Kita 1', 'KIT-001', 'primary', id, '2026-2027' from caps where name = 'CAP KITA';
    update students set school_id = (select id from schools where admin_code = 'KIT-001') where id in (select id from students order by id limit 10)`)
  const girls = (count: number) => count * 10_500
  expect(await home()).toEqual({ 'CAP KAYES': girls(size - 10), 'CAP KITA': girls(10) })
  await owner.query(
    `update schools set cap_id = (select id from caps where name = 'CAP KAYES') where admin_code = 'KIT-001'`,
  )
  await foldMonths(portal.db)
  expect(await home()).toEqual({ 'CAP KAYES': girls(size) })
  await owner.query(
    `update schools set cap_id = (select id from caps where name = 'CAP KITA') where admin_code = 'KIT-001'`,
  )
  expect(await home()).toEqual({ 'CAP KAYES': girls(size - 10), 'CAP KITA': girls(10) })
  expect(await faults()).toEqual([])
})

test('a girl who moves while she is paid is counted in her new CAP', async () => {
  const { round } = await addRound(portal.db, officer, 20, 'Kita')
  const before = await home()
  await owner.query(`update transfer_payrolls set status = 'sending' where payroll_group_id = $1`, [round])
  const payer = await portal.callsDb.pool.connect()
  try {
    await payer.query('begin')
    await payer.query(
      `insert into payment_attempts (payroll_id, state, settled_at) select id, 'success', now() from transfer_payrolls where payroll_group_id = $1`,
      [round],
    )
    await payer.query(`update transfer_payrolls set status = 'success' where payroll_group_id = $1`, [round])
    const moved = owner.query(
      `update students set school_id = (select id from schools where admin_code = 'KYS-001') where school_id <> (select id from schools where admin_code = 'KYS-001')`,
    )
    // The move waits at its end until the payments are settled.
    await untilLocked(portal.db.pool, { lock: 'advisory' })
    await payer.query('commit')
    await moved
  } finally {
    payer.release()
  }
  expect(Object.values(before)).toHaveLength(2)
  expect(await home()).toEqual({ 'CAP KAYES': (size + 20) * 10_500, 'CAP KITA': 0 })
  expect(await faults()).toEqual([])
})

test('an operator finds a round that counts a payment as failed which arrived', async () => {
  const miscount = (failed: number) =>
    owner.query(
      'update transfer_payroll_groups set failed = failed + $1, success = success - $1 where id = (select min(id) from transfer_payroll_groups)',
      [failed],
    )
  await miscount(1)
  expect(await faults()).toEqual([
    expect.stringContaining('the figures of round 1 are not the sums of its payments'),
  ])
  await miscount(-1)
  expect(await faults()).toEqual([])
})

test('an operator finds a total that is wrong, and counts all of them again', async () => {
  await owner.query(
    `update payment_totals set amount = amount + 1 where id = (select min(id) from payment_totals);
     update money_totals set fees = fees + 1 where id = (select min(id) from money_totals);
     insert into owed_payments (payroll_id, student_id, payroll_group_id, amount)
       select id, 1, payroll_group_id, amount from transfer_payrolls order by id limit 1`,
  )
  const again = '(npm run totals:rebuild counts them again)'
  expect(await faults()).toEqual([
    expect.stringContaining(`1 totals by CAP and month are not the sums of its payments ${again}`),
    expect.stringContaining(`1 totals of days are not the sums of its money events ${again}`),
    expect.stringContaining(`1 payments are wrongly among those that are owed, or not among them ${again}`),
  ])
  expect(await rebuildPaymentTotals(portal.db)).toEqual({ payments: size + 20, amount: (size + 20) * 10_500 })
  expect(await faults()).toEqual([])
})
