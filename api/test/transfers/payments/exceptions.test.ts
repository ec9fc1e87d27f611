import { expect, test } from 'vitest'
import type { Entry } from './retries.ts'
import { reason, startWriteOffs } from './write-off-stage.ts'

const {
  portal,
  officer,
  approver,
  settled,
  payments,
  paid,
  correct,
  retry,
  writeOff,
  app,
  roundOf,
  columnOf,
} = await startWriteOffs()

test('an approver closes an answer that does not agree, and the payment is made again, or is known to be paid', {
  timeout: 120_000,
}, async () => {
  const { id, entries } = await paid('Answers', 2, 3, 10)
  const [refused, moved, fine] = entries as [Entry, Entry, Entry]
  const exceptions = '/admin/transfers/exceptions'
  /** The agency answers that the outcome is another one, as the worker notes it. */
  const contradict = ({ id: payment }: Entry) =>
    app.query(
      `insert into payment_exceptions (payroll_id, attempt_id, kind, expected, answered)
       select payroll_id, id, 'contradiction', state, 'success' from payment_attempts where payroll_id = $1
       on conflict do nothing`,
      [payment],
    )
  for (const entry of [refused, moved, fine]) await contradict(entry)
  await contradict(refused)
  const group = await roundOf(id)
  const listed = async (query = '') =>
    (await approver.get(`${exceptions}?payroll_group_id=${group}&sort=created_at&${query}`)).body.exceptions
      .data
  const open = await listed('state=open')
  expect(open).toMatchObject([
    { payroll_id: refused.id, kind: 'contradiction', answered: 'success', decision: null, barred: null },
    { payroll_id: moved.id },
    { payroll_id: fine.id },
  ])
  expect(await listed('kind=amount')).toEqual([])
  expect(await listed('search=nobody')).toEqual([])
  const close = (at: number, decision: string, who = approver, why: string = reason) =>
    who.post(`${exceptions}/${open[at].id}/close`, { decision, reason: why })
  expect((await close(0, 'status_stands', officer)).status).toBe(403)
  expect((await close(0, 'money_missing')).body.errors).toHaveProperty('decision')
  expect((await close(2, 'money_moved')).body.errors).toHaveProperty('decision')
  expect((await close(0, 'status_stands', approver, ' ')).body.errors).toHaveProperty('reason')
  expect((await close(0, 'something')).body.errors).toHaveProperty('decision')

  // Nothing moved: it can be made again. If the agency answers so once more, it is in doubt again.
  expect((await close(0, 'status_stands')).status).toBe(200)
  expect((await close(0, 'status_stands')).status).toBe(409)
  expect(await payments(id)).toMatchObject([{ state: 'failed' }, { state: 'doubted' }, { state: 'success' }])
  await contradict(refused)
  expect(await payments(id)).toMatchObject([{ state: 'doubted' }, { state: 'doubted' }, { state: 'success' }])
  expect((await retry([refused])).status).toBe(409)
  const again = (await listed('state=open')).at(-1)
  expect(again.payroll_id).toBe(refused.id)
  const more = await approver.post(`${exceptions}/${again.id}/close`, { decision: 'status_stands', reason })
  expect(more.status).toBe(200)
  await correct(refused)
  expect((await retry([refused])).status).toBe(200)
  await settled(id)

  // The money moved after all: nobody pays it twice, and it leaves the arrears by a write-off.
  expect((await close(1, 'money_moved')).status).toBe(200)
  expect(await payments(id)).toMatchObject([
    { state: 'success' },
    { state: 'paid_after_all', acts: ['write_off'] },
    { state: 'success' },
  ])
  expect(await retry([moved])).toMatchObject({ status: 409 })
  await app.query("insert into payment_attempts (payroll_id, n, state) values ($1, 2, 'pending')", [moved.id])
  await expect(
    app.query("update transfer_payrolls set status = 'pending' where id = $1", [moved.id]),
  ).rejects.toMatchObject({ code: '23514' })
  expect((await writeOff([moved])).status).toBe(200)
  expect((await close(2, 'money_missing')).status).toBe(200)
  expect(await listed('state=open')).toEqual([])
  expect(await listed('state=closed')).toHaveLength(4)
  for (const change of [
    'update payment_exceptions set resolved = false where id = $1',
    "update payment_exceptions set decision = 'money_moved' where id = $1",
    'delete from payment_exceptions where id = $1',
  ])
    await expect(app.query(change, [open[2].id])).rejects.toThrow()
  const { rows } = await portal.owner.query(
    `select v.new_values->>'decision' as decision from audits a join audit_values v on v.audit_id = a.id
     where a.event = 'exception closed' and a.user_id = $1 order by a.id`,
    [approver.user.id],
  )
  expect(rows.map(({ decision }) => decision)).toEqual([
    'status_stands',
    'status_stands',
    'money_moved',
    'money_missing',
  ])
})

test('an approver who looks through answers reads that a payment was written off, in the list, the round and the Excel file', {
  timeout: 120_000,
}, async () => {
  const { id, entries } = await paid('Answers, written off', 2, 3, 10)
  const [gone, failed, fine] = entries as [Entry, Entry, Entry]
  const group = await roundOf(id)
  expect((await writeOff([gone])).status).toBe(200)
  for (const { id: payment } of [gone, failed, fine])
    await app.query(
      `insert into payment_exceptions (payroll_id, attempt_id, kind, expected, answered)
       select payroll_id, id, 'contradiction', state, 'paid' from payment_attempts where payroll_id = $1`,
      [payment],
    )
  const shown = ['written_off', 'failed', 'success']
  const statusesOf = (found: { status: string }[]) => found.map(({ status }) => status)
  const query = `payroll_group_id=${group}&sort=created_at`
  const listed = (await approver.get(`/admin/transfers/exceptions?${query}`)).body.exceptions.data
  expect(statusesOf(listed)).toEqual(shown)
  const round = (await approver.get(`/admin/transfers/cohorts/payroll/${group}`)).body.payrollGroup
  expect(statusesOf(round.exceptions.toReversed())).toEqual(shown)
  const exported = async (language: string, heading: string) =>
    (await columnOf('exceptions/export', { payroll_group_id: group }, heading, language)).toSorted()
  expect(await exported('en', 'Payment')).toEqual(['Failed', 'Success', 'Written off'])
  expect(await exported('fr', 'Paiement')).toEqual(['Passé en perte', 'Succès', 'Échec'])

  // It has a final outcome, so that the answer about it can be decided on: her money moved after all.
  expect(listed[0].barred).toBeNull()
  const close = { decision: 'money_moved', reason }
  expect((await approver.post(`/admin/transfers/exceptions/${listed[0].id}/close`, close)).status).toBe(200)
})
