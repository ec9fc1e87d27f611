import { sql } from 'kysely'
import { afterAll, expect, test } from 'vitest'
import { readMeasures } from '../../../src/machine/gauges.service.ts'
import { verifyLedger } from '../../../src/transfers/ledger/ledger-check.service.ts'
import { compareMarks } from '../../../src/transfers/sending-hold/sending-watch.jobs.ts'
import { dayFromNow } from '../../cohorts.ts'
import { untilLocked } from '../../locks.ts'
import { startAgency } from '../agencies/agency.ts'
import { type Entry, startRetries } from '../payments/retries.ts'

const other = await startAgency()
afterAll(() => other.close())
const stage = await startRetries({ agencyHosts: [other.host] })
const { portal, agency, officer, approver, imported, approve, ending, progress, payments, settled } = stage
const { owner } = portal
/** The database role of the api and the worker. */
const app = portal.db.pool
const colleague = await portal.signedInAs('Transfer Approver')
const auditor = await portal.signedInAs('Auditor')
const { rows: made } = await owner.query(
  `insert into transfer_agencies (name, description, type, country, fees, endpoint, protocol, details, user_id)
   select x.name, x.name, x.type, x.country, 1, $1, 'sandbox', '{"protocol": "sandbox"}', user_id
   from transfer_agencies a, (values ('Second', 'mobile_money', 'ml'), ('Bank', 'bank', 'ml'), ('Dakar', 'mobile_money', 'sn')) x (name, type, country)
   where a.id = 1 returning id::int`,
  [other.url],
)
// A worker claims eight payments at once, so that some still wait.
await owner.query(`update transfer_agencies set details = details || '{"concurrency": 2}' where id = 1`)
const [second, bank, dakar] = made.map(({ id }) => id) as [number, number, number]

const cohorts = '/admin/transfers/cohorts'
const reason = 'The agency has ended its contract'
const read = async (id: number, wanted?: number, who = approver) =>
  (await who.get(`${cohorts}/${id}/move${wanted ? `?transfer_agency_id=${wanted}` : ''}`)).body
const propose = (id: number, to = second, who = officer) =>
  who.post(`${cohorts}/${id}/move`, { transfer_agency_id: to, reason })
const moveOf = async (id: number) => (await read(id)).proposal?.id
const decide = (move: number, action = 'approved', who = approver) =>
  who.post(`/admin/transfers/cohort-moves/${move}/decide`, { action })
const agencyOf = async (id: number) =>
  Number(
    (await owner.query('select transfer_agency_id as a from transfer_cohorts where id = $1', [id])).rows[0].a,
  )
const executed = async (at: typeof other, entries: readonly Entry[]) => {
  const references = new Set(entries.map(({ reference }) => reference))
  return (await at.ledger())
    .filter((line) => references.has(line.reference))
    .reduce((sum, line) => sum + line.executed, 0)
}
const bells = async () =>
  (
    await owner.query(
      `select u.email, n.bell from notifications n join users u on u.id = n.user_id where n.kind = 'cohort-to-move' order by u.email`,
    )
  ).rows
/** A cohort whose first round is due in some days, so that nothing of it is sent yet. */
async function waiting(name: string, size = 2) {
  const id = await imported(name, ending(...Array.from({ length: size }, () => 10)), {
    from: dayFromNow(2),
    to: dayFromNow(60),
  })
  expect((await approve(id)).status).toBe(200)
  await progress(id, ({ round }) => round?.pending === size)
  return id
}

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

test('payments with an unknown outcome stay with the agency that has them, and the others are paid by the new one', {
  timeout: 90_000,
}, async () => {
  const rows = ending(...Array.from({ length: 12 }, () => 10))
  await agency.set({ latency_ms: 700 })
  const id = await imported('Half way', rows)
  await approve(id)
  await progress(id, ({ round }) => round && round.sending > 0 && round.pending > 0)
  // Its worker is killed with orders on their way, and the agency answers nobody any more.
  await stage.killWorker()
  await agency.set({ unreachable: true })
  expect((await approver.post(`${cohorts}/${id}/stop`)).status).toBe(200)
  expect((await propose(id)).status).toBe(200)
  const early = await decide(await moveOf(id))
  expect(early).toMatchObject({
    status: 409,
    body: { message: expect.stringMatching(/^Payments that are being sent: \d+\. Stop the cohort/) },
  })

  stage.startWorker()
  const before = await progress(id, ({ round }) => round.sending === 0 && round.pending > 0)
  expect(before.round.unknown).toBeGreaterThan(0)
  const unknown = (await payments(id)).filter(({ status }) => status === 'unknown')
  expect((await read(id)).unknown.count).toBe(unknown.length)
  expect((await decide(await moveOf(id))).body.message).toMatch(/through the other agency from now on/)
  // An operator sees them at the agency that has them.
  const figures = await readMeasures(portal.context, {})
  const { rows: first } = await owner.query('select name from transfer_agencies where id = 1')
  const open = (name: string) =>
    Number(figures.match(`\nportal_payments{agency="${name}",state="unknown"} (.*)`)?.[1])
  expect([open(first[0].name), open('Second')]).toEqual([unknown.length, 0])
  // The agency answers again, after the cohort has left it.
  await agency.set({ unreachable: false })
  const overview = async () => (await approver.get('/admin/transfers/dashboard')).body.agencies
  expect((await approver.post(`${cohorts}/${id}/resume`)).status).toBe(200)
  await settled(id)
  const entries = await payments(id)
  expect(entries.map(({ status }) => status)).toEqual(entries.map(() => 'success'))
  const here = await executed(agency, entries)
  const there = await executed(other, entries)
  expect(here + there).toBe(12)
  expect(there).toBe(before.round.pending)
  expect(await executed(other, unknown)).toBe(0)
  const { rows: attempts } = await owner.query(
    `select a.agency_id::int as agency, count(*)::int as n from payment_attempts a join transfer_payrolls p on p.id = a.payroll_id
     where p.id = any($1) group by 1 order by 1`,
    [entries.map((entry) => entry.id)],
  )
  expect(attempts).toEqual([
    { agency: 1, n: here },
    { agency: second, n: there },
  ])
  // What each agency paid counts as its own.
  const paid = await overview()
  expect(paid.find((each: { id: number }) => each.id === 1).paid).toBe(here)
  expect(paid.find((each: { id: number }) => each.id === second).paid).toBe(there + 3)
  expect((await verifyLedger(portal.db)).faults).toEqual([])
})

test('a girl whose payment came back while she was on hold is paid once by the agency that her cohort moved to', {
  timeout: 60_000,
}, async () => {
  const id = await waiting('Withheld and moved', 1)
  const [girl] = (await payments(id)) as [Entry & { student_id: number }]
  // Her order is on its way when she is put on hold, and the agency certainly did not execute it.
  await app.query(`insert into payment_attempts (payroll_id, state, tries) values ($1, 'sending', 1)`, [
    girl.id,
  ])
  await app.query("update transfer_payrolls set status = 'sending' where id = $1", [girl.id])
  const holds = '/admin/transfers/payee-holds'
  expect((await officer.post(holds, { student_id: girl.student_id, reason })).status).toBe(200)
  await app.query("update payment_attempts set state = 'pending' where payroll_id = $1", [girl.id])
  await app.query("update transfer_payrolls set status = 'pending' where id = $1", [girl.id])
  expect((await propose(id)).status).toBe(200)
  expect((await decide(await moveOf(id))).status).toBe(200)

  const { body } = await approver.get(`${holds}?state=open&student_id=${girl.student_id}`)
  expect((await approver.post(`${holds}/${body.holds.data[0].id}/release`)).status).toBe(200)
  expect((await stage.retry([girl])).status).toBe(200)
  const { rows } = await owner.query(
    'select agency_id::int as agency, state from payment_attempts where payroll_id = $1',
    [girl.id],
  )
  expect(rows).toEqual([{ agency: second, state: 'pending' }])
  // Its day comes, and the answer to its order is lost: the agency that has it is asked.
  await other.set({ hostile: [{ mode: 'not_json', on: ['send'] }] })
  await owner.query(`update transfer_payroll_groups set due_on = current_date where cohort_id = $1`, [id])
  await progress(id, ({ round }) => round.pending === 0)
  await other.set({ hostile: [] })
  await settled(id)
  expect(await payments(id)).toMatchObject([{ status: 'success' }])
  expect([await executed(agency, [girl]), await executed(other, [girl])]).toEqual([0, 1])
  expect((await verifyLedger(portal.db)).faults).toEqual([])
})

test('a payment that is claimed at the moment of the approval is either sent or moved, never both', async () => {
  const id = await waiting('At the same moment')
  const [entry] = (await payments(id)) as [Entry]
  await propose(id)
  const move = await moveOf(id)
  // A worker claims under the lock of the lease.
  const worker = await app.connect()
  await worker.query('begin')
  await worker.query('select from agency_leases where agency_id = 1 for no key update')
  await worker.query(`insert into payment_attempts (payroll_id, state, tries) values ($1, 'sending', 1)`, [
    entry.id,
  ])
  await worker.query(`update transfer_payrolls set status = 'sending' where id = $1`, [entry.id])
  const late = decide(move)
  await untilLocked(owner)
  await worker.query('commit')
  expect((await late).status).toBe(409)
  expect(await agencyOf(id)).toBe(1)
  await worker.query(`update payment_attempts set state = 'pending' where payroll_id = $1`, [entry.id])
  await worker.query(`update transfer_payrolls set status = 'pending' where id = $1`, [entry.id])

  // The move comes first: the attempt that was not sent goes along, and the old agency claims nothing any more.
  await worker.query('begin')
  await worker.query('select cohort_move_locks($1, $2)', [id, second])
  const claim = app.query(
    `with lease as (select from agency_leases where agency_id = 1 for no key update)
     select p.id from transfer_payrolls p join transfer_payroll_groups g on g.id = p.payroll_group_id
       join transfer_cohorts c on c.id = g.cohort_id
     where c.id = $1 and c.transfer_agency_id = 1 and (select count(*) from lease) = 1 for share of c`,
    [id],
  )
  await worker.query(
    `update cohort_moves set state = 'approved', decided_by = $2, decided_at = now() where id = $1`,
    [move, approver.user.id],
  )
  await worker.query('commit')
  worker.release()
  expect((await claim).rows).toEqual([])
  const { rows } = await owner.query(
    'select agency_id::int as agency, state from payment_attempts where payroll_id = $1',
    [entry.id],
  )
  expect(rows).toEqual([{ agency: second, state: 'pending' }])
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

test('a backup from before a move holds sending, because the agency of then may not pay the cohort again', async () => {
  const { rows } = await sql<{ n: number }>`
    select count(*) as n from cohort_moves where state = 'approved' and from_agency_id = 1`.execute(portal.db)
  await compareMarks(portal.context)
  const { readMarkFile } = await import('../../../src/transfers/sending-hold/sending-mark.ts')
  const file = await readMarkFile(portal.settings)
  expect(file.kind === 'read' && file.mark.changes).toEqual({ 1: Number(rows[0]?.n) })
})
