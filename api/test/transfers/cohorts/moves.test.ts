import { expect, test } from 'vitest'
import { verifyLedger } from '../../../src/transfers/ledger/ledger-check.service.ts'
import { dayFromNow } from '../../cohorts.ts'
import { copyAgency } from '../agencies/copied.ts'
import type { Entry } from '../payments/retries.ts'
import { cohorts, reason, startMoves } from './move-stage.ts'

const stage = await startMoves()
const {
  portal,
  agency,
  officer,
  approver,
  imported,
  approve,
  ending,
  progress,
  payments,
  settled,
  other,
  owner,
  app,
  endpoint,
  second,
  read,
  propose,
  moveOf,
  decide,
  agencyOf,
  executed,
  waiting,
} = stage

const colleague = await portal.signedInAs('Transfer Approver')
const auditor = await portal.signedInAs('Auditor')
const bank = await copyAgency(portal, 'Bank', { endpoint, type: 'bank' })
const dakar = await copyAgency(portal, 'Dakar', { endpoint, country: 'sn' })
const bells = async () =>
  (
    await owner.query(
      `select u.email, n.bell from notifications n join users u on u.id = n.user_id where n.kind = 'cohort-to-move' order by u.email`,
    )
  ).rows

test('an officer proposes to pay a cohort through another agency, an approver approves it, and all of it is paid there once', {
  timeout: 60_000,
}, async () => {
  const id = await imported('Moved before it was sent', ending(10, 10, 10), {
    from: dayFromNow(1),
    to: dayFromNow(60),
  })
  await approve(id)
  await progress(id, ({ round }) => round?.pending === 3)
  expect(await read(id, second)).toMatchObject({
    agency: { id: 1 },
    agencies: [
      { id: bank, type: 'bank' },
      { id: second, name: 'Second' },
    ],
    pending: { count: 3, amount: 31_500 },
    rounds_left: 1,
    failed: { count: 0 },
    sending: 0,
    unknown: { count: 0 },
    wanted: { obstacles: [], other_operator: 0 },
    proposal: null,
  })
  expect((await propose(id)).body.message).toMatch(/waits for the approval of a second person/)
  expect(await agencyOf(id)).toBe(1)
  // Those who may decide are told of it, and read who proposed it and why.
  expect((await bells()).filter(({ bell }) => bell).map(({ email }) => email)).toContain(approver.user.email)
  expect((await read(id)).proposal).toMatchObject({ agency: { name: 'Second' }, reason, barred: null })
  expect((await read(id, undefined, officer)).proposal.barred).toMatch(/You proposed this move/)
  expect(await propose(id)).toMatchObject({
    status: 409,
    body: { message: expect.stringMatching(/waits for its decision/) },
  })

  const move = await moveOf(id)
  const answers = await Promise.all([decide(move), decide(move, 'approved', colleague)])
  expect(answers.map(({ status }) => status).sort()).toEqual([200, 409])
  expect(await agencyOf(id)).toBe(second)
  expect((await bells()).every(({ bell }) => !bell)).toBe(true)
  // Its day comes.
  await owner.query(`update transfer_payroll_groups set due_on = current_date where cohort_id = $1`, [id])
  await settled(id)
  const entries = await payments(id)
  expect(entries.map(({ status }) => status)).toEqual(['success', 'success', 'success'])
  expect([await executed(agency, entries), await executed(other, entries)]).toEqual([0, 3])
  const { rows: log } = await owner.query(
    `select a.event, v.old_values, v.new_values from audits a join audit_values v on v.audit_id = a.id
     where a.auditable_type = 'cohort' and a.auditable_id = $1 and a.event like 'move %' order by a.id`,
    [id],
  )
  expect(log).toMatchObject([
    { event: 'move proposed', new_values: { transfer_agency_id: second, reason } },
    {
      event: 'move approved',
      old_values: { transfer_agency_id: 1 },
      new_values: { payments: 3, amount: 31_500 },
    },
  ])
  const { rows: events } = await owner.query(
    `select e.kind, e.agency_id::int as agency from money_events e where e.payroll_id = $1 order by e.id`,
    [entries[0]?.id],
  )
  expect(events).toEqual([
    { kind: 'expected', agency: 1 },
    { kind: 'moved', agency: second },
    { kind: 'instructed', agency: second },
    { kind: 'paid', agency: second },
  ])
  expect((await verifyLedger(portal.db)).faults).toEqual([])

  // An accountant who looks at either agency finds the cohort settled, and at which agency its money was.
  for (const chosen of [1, second]) {
    const { accounts } = (
      await approver.get(
        `/admin/transfers/accounting?search=moved+before+it+was+sent&transfer_agency_id=${chosen}`,
      )
    ).body
    const closing = Object.fromEntries(
      accounts.map((row: { account: string; agency: { name: string } | null; closing: number }) => [
        row.agency?.name ?? row.account,
        row.closing,
      ]),
    )
    expect(closing, `agency ${chosen}`).toMatchObject({ programme: 31_500, recipients: 0, Second: -32_130 })
  }
})

test('an approver who made the other agency cannot decide on a move to it, and is not asked to', async () => {
  const touched = await portal.signedInAs('Transfer Approver')
  const id = await waiting('Not for her')
  const { rows } = await owner.query('select user_id from transfer_agencies where id = $1', [second])
  await owner.query('update transfer_agencies set user_id = $2 where id = $1', [second, touched.user.id])
  expect((await propose(id)).status).toBe(200)
  const { rows: asked } = await owner.query(
    "select user_id::int from notifications where kind = 'cohort-to-move' and subject_id = $1",
    [id],
  )
  expect(asked.map(({ user_id }) => user_id)).toContain(approver.user.id)
  expect(asked.map(({ user_id }) => user_id)).not.toContain(touched.user.id)
  const move = await moveOf(id)
  expect((await decide(move, 'approved', touched)).status).toBe(403)
  expect((await decide(move, 'refused')).status).toBe(200)
  await owner.query('update transfer_agencies set user_id = $2 where id = $1', [second, rows[0].user_id])
})

test('an officer withdraws her own proposal, and nobody else does', async () => {
  const id = await waiting('Proposed by mistake')
  await propose(id)
  const move = await moveOf(id)
  expect((await read(id)).proposal.own).toBe(false)
  expect((await read(id, undefined, officer)).proposal.own).toBe(true)
  const withdraw = (who: typeof officer) => who.post(`/admin/transfers/cohort-moves/${move}/withdraw`)
  const another = await portal.signedInAs('Transfer Officer')
  expect(await withdraw(another)).toMatchObject({
    status: 403,
    body: { message: expect.stringMatching(/^Somebody else proposed this move/) },
  })
  const answers = await Promise.all([withdraw(officer), withdraw(officer)])
  expect(answers.map(({ status }) => status).sort()).toEqual([200, 409])
  expect((await decide(move)).status).toBe(409)
  expect((await read(id)).proposal).toBe(null)
  expect(await agencyOf(id)).toBe(1)
  expect((await bells()).every(({ bell }) => !bell)).toBe(true)
  const { rows } = await owner.query(
    `select event from audits where auditable_type = 'cohort' and auditable_id = $1 and event like 'move %' order by id`,
    [id],
  )
  expect(rows.map(({ event }) => event)).toEqual(['move proposed', 'move withdrawn'])
  expect((await propose(id)).status).toBe(200)
})

test('an approver of a move reads how many recipients have another operator’s number, as corrected since', {
  timeout: 60_000,
}, async () => {
  const { id, entries } = await stage.paid('Of another operator', 10, 2)
  const wrong = entries.find(({ status }) => status === 'failed') as Entry & { master_list_id: number }
  /** How many numbers are of another operator if the agency serves those that begin so. */
  const others = async (prefix: string) => {
    await owner.query(
      `update transfer_agencies set details = details || jsonb_build_object('number_prefixes', array[$2::text]) where id = $1`,
      [second, prefix],
    )
    return (await read(id, second)).wanted.other_operator
  }
  expect([await others('66'), await others('7')]).toEqual([2, 0])
  const corrections = '/admin/transfers/corrections'
  const { status } = await officer.post(`/admin/transfers/master-list/${wrong.master_list_id}/corrections`, {
    receiver_phone_number: '+22366000010',
    reason,
  })
  expect(status).toBe(200)
  expect([await others('66'), await others('7')]).toEqual([2, 0])
  const waits = (await approver.get(corrections)).body.corrections.data[0].id
  expect((await approver.post(`${corrections}/${waits}/decide`, { action: 'approved' })).status).toBe(200)
  expect([await others('66'), await others('7')]).toEqual([1, 1])
  await owner.query("update transfer_agencies set details = details - 'number_prefixes' where id = $1", [
    second,
  ])
})

test('nobody moves a cohort to an agency that cannot pay it, nor one that has ended, and the database agrees', async () => {
  const id = await waiting('To keep')
  expect((await read(id, bank)).wanted.obstacles).toEqual([
    expect.stringMatching(/^Recipients whom this agency cannot pay.*: 2\. Choose another agency\.$/),
  ])
  for (const [to, words] of [
    [bank, /^Recipients whom this agency cannot pay/],
    [dakar, /same country/],
    [1, /Choose another agency that is active/],
  ] as const)
    expect(await propose(id, to)).toMatchObject({
      status: 409,
      body: { message: expect.stringMatching(words) },
    })
  expect((await propose(id, 999_999)).status).toBe(422)
  expect((await propose(999_999)).status).toBe(404)
  for (const who of [auditor, approver]) expect((await propose(id, second, who)).status).toBe(403)
  const pending = await imported('Undecided', ending(10))
  expect((await propose(pending)).body.message).toMatch(/Only an approved cohort/)
  const { id: over } = await stage.paid('All paid', 10)
  await owner.query(`update transfer_rounds set state = 'made' where cohort_id = $1`, [over])
  expect((await propose(over)).body.message).toMatch(/there is nothing to move/)

  expect((await propose(id)).status).toBe(200)
  const move = await moveOf(id)
  for (const who of [auditor, officer]) expect((await decide(move, 'approved', who)).status).toBe(403)
  expect((await decide(999_999)).status).toBe(404)
  const setAgency = () =>
    app.query('update transfer_cohorts set transfer_agency_id = $2 where id = $1', [id, second])
  await expect(setAgency()).rejects.toMatchObject({ constraint: 'transfer_cohorts_frozen' })
  await expect(
    app.query(
      `update cohort_moves set state = 'approved', decided_by = user_id, decided_at = now() where id = $1`,
      [move],
    ),
  ).rejects.toMatchObject({ code: '23514' })
  await expect(app.query('delete from cohort_moves')).rejects.toThrow()
  await owner.query(`update transfer_agencies set status = 'inactive' where id = $1`, [second])
  expect((await decide(move)).body.message).toMatch(/Choose another agency that is active/)
  await owner.query(`update transfer_agencies set status = 'active' where id = $1`, [second])
  // A proposal that waits keeps the cohort from being closed, and ends with a refusal.
  expect((await approver.get(`${cohorts}/${id}/closing`)).body.open).toContainEqual(
    expect.objectContaining({ kind: 'moves', count: 1 }),
  )
  expect((await decide(move, 'refused')).body.message).toMatch(/stays with its agency/)
  expect((await decide(move)).status).toBe(409)
  expect((await read(id)).proposal).toBeNull()
  expect(await agencyOf(id)).toBe(1)
})
