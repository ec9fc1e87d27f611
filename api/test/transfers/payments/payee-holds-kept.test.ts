import { expect, test } from 'vitest'
import { missOldRounds } from '../../../src/transfers/rounds/rounds.service.ts'
import { dayFromNow } from '../../cohorts.ts'
import { runCommand } from '../../commands.ts'
import { type Entry, reason, startPayeeHolds } from './payee-hold-stage.ts'

const stage = await startPayeeHolds()
const { portal, approver, imported, approve, ending, payments, paid, atAgency } = stage
const { hold, holds, ledgerHolds, openHoldOf, owner, release, roundOf } = stage
/** The database role of the api and the worker. */
const app = portal.db.pool
const refusedByTheDatabase = { code: '23514' }

test('the database keeps holds, and withholds payments of girls on hold only', {
  timeout: 120_000,
}, async () => {
  const { id, entries } = await paid('Kept', 2, 10)
  const [failed, fine] = entries as [Entry, Entry]
  const refused = (text: string, values: unknown[]) =>
    expect(app.query(text, values)).rejects.toMatchObject(refusedByTheDatabase)
  await refused('update transfer_payrolls set withheld_at = now() where id = $1', [failed.id])
  expect((await hold(failed.student_id)).status).toBe(200)
  const { id: held } = await openHoldOf(failed.student_id)
  await refused('update payee_holds set ends_on = current_date where id = $1', [held])
  await refused('delete from payee_holds where id = $1', [held])
  await refused(
    'insert into payment_write_offs (payroll_id, amount, reason, user_id) values ($1, 1, $2, $3)',
    [failed.id, reason, approver.user.id],
  )
  await app.query("insert into payment_attempts (payroll_id, n, state) values ($1, 2, 'pending')", [
    failed.id,
  ])
  await refused("update transfer_payrolls set status = 'pending' where id = $1", [failed.id])
  await owner.query('alter table payment_attempts disable trigger money_is_kept')
  await owner.query('delete from payment_attempts where payroll_id = $1 and n = 2', [failed.id])
  await owner.query('alter table payment_attempts enable trigger money_is_kept')
  // A payment that the agency refused before stays a failed one, and is not made again during the hold.
  expect(await payments(id)).toMatchObject([
    { state: 'held', failure_reason: 'account_unknown' },
    { state: 'success' },
  ])
  expect(await roundOf(id)).toMatchObject({ failed: 1, withheld: 0 })

  // With the girl her hold is erased.
  expect((await hold(fine.student_id)).status).toBe(200)
  const { rows } = await owner.query('select student_code from students where id = $1', [fine.student_id])
  const erased = await runCommand(portal.settings, 'person-erase', ['--student', rows[0].student_code])
  expect(erased).toMatchObject({ code: 0, err: '' })
  expect(await holds(`student_id=${fine.student_id}`)).toEqual([])
  await ledgerHolds()
})

test('an approver writes off what a hold withheld: no agency has refused it, and its round has not begun by that', {
  timeout: 120_000,
}, async () => {
  const id = await imported('Late with a hold', ending(10, 10), { from: dayFromNow(1), to: dayFromNow(28) })
  await approve(id)
  const [gone, stays] = (await payments(id)) as [Entry, Entry]
  const agencies = async () => (await approver.get('/admin/transfers/dashboard')).body.agencies
  const before = await agencies()
  expect((await hold(gone.student_id)).body.withheld).toBe(1)
  const ended = { payroll_ids: [gone.id], reason }
  expect((await release(gone.student_id)).status).toBe(200)
  expect((await approver.post('/admin/transfers/arrears/write-off', ended)).status).toBe(200)
  expect(await payments(id)).toMatchObject([{ state: 'written_off' }, { state: 'pending' }])
  // What is written off does not wait for her release any more.
  expect((await hold(gone.student_id)).status).toBe(200)
  expect(await openHoldOf(gone.student_id)).toMatchObject({ withheld: 0, withheld_amount: 0 })
  expect(await roundOf(id)).toMatchObject({ failed: 0, withheld: 0, written_off_count: 1, pending: 1 })
  expect(await agencies()).toEqual(before)

  // No worker sent the rest on its day or the day after, so the round is missed and waits for a person.
  const late = "(now() at time zone 'utc')::date - 3"
  await owner.query(
    `update transfer_payroll_groups set due_on = ${late}, called_at = now() - interval '3 days' where cohort_id = ${id};
     update transfer_cohorts set reopened_at = null where id = ${id};
     update transfer_rounds set due_on = ${late} where cohort_id = ${id} and state = 'made'`,
  )
  await missOldRounds(portal.db)
  const { rounds } = (await approver.get(`/admin/transfers/cohorts/${id}/payrolls`)).body.cohort
  expect(rounds[0]).toMatchObject({ n: 1, state: 'missed' })
  expect(await roundOf(id)).toMatchObject({ successful: 0, written_off_count: 1, pending: 1 })
  expect((await atAgency(stays)).moved).toBe(0)
  await ledgerHolds()
})
