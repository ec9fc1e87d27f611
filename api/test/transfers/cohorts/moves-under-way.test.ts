import { sql } from 'kysely'
import { expect, test } from 'vitest'
import { readMeasures } from '../../../src/machine/gauges.service.ts'
import { verifyLedger } from '../../../src/transfers/ledger/ledger-check.service.ts'
import { compareMarks } from '../../../src/transfers/sending-hold/sending-watch.jobs.ts'
import { untilLocked } from '../../locks.ts'
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
  second,
  read,
  propose,
  moveOf,
  decide,
  agencyOf,
  executed,
  waiting,
} = stage

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
  expect(paid.find((each: { id: number }) => each.id === second).paid).toBe(there)
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

test('a backup from before a move holds sending, because the agency of then may not pay the cohort again', async () => {
  const { rows } = await sql<{ n: number }>`
    select count(*) as n from cohort_moves where state = 'approved' and from_agency_id = 1`.execute(portal.db)
  await compareMarks(portal.context)
  const { readMarkFile } = await import('../../../src/transfers/sending-hold/sending-mark.ts')
  const file = await readMarkFile(portal.settings)
  expect(file.kind === 'read' && file.mark.changes).toEqual({ 1: Number(rows[0]?.n) })
})
