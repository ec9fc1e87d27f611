import { once } from 'node:events'
import { afterAll, expect, test } from 'vitest'
import { freePort } from '../../api-process.ts'
import { changeAgency, recipient, startStage } from '../../cohorts.ts'
import { until } from '../../portal.ts'
import { spawnWorker } from '../agencies/agency.ts'

const stage = await startStage(800)
// Chosen after the agency has its port, because the system may return one port twice.
const unreachable = `127.0.0.1:${await freePort()}`
stage.portal.settings.agencyHosts.push(unreachable)
const { portal, agency, officer, approver, imported, approve, cohort, progress } = stage
const worker = spawnWorker(portal.settings)
afterAll(async () => {
  const exited = once(worker, 'exit')
  worker.kill('SIGTERM')
  await exited
})

let used = 0
const behaving = (digits: number[], amount: number | null = null) =>
  digits.map((lastTwo) => recipient(++used, { lastTwo, amount }))
type Entry = {
  reference: string
  id: number
  status: string
  external_trx_id: string | null
  failure_reason: string | null
  amount: number
  receiver_phone_number: string
}

const settled = (id: number, ms?: number) =>
  progress(id, ({ round }) => round?.pending === 0 && round.unknown === 0, ms)

/** The payments of the latest round of a cohort, read through the API. */
async function entries(id: number): Promise<Entry[]> {
  const { round } = await progress(id, (now) => now.round)
  const all: Entry[] = []
  for (let page = 1; all.length < round.total; page++) {
    const { body } = await officer.get(
      `/admin/transfers/cohorts/payroll/${round.id}?per_page=100&page=${page}`,
    )
    all.push(...body.payrollGroup.transfer_payrolls.data)
  }
  return all
}

/** Compares the payments of a cohort with the agency's ledger by reference (Money 4.1). */
async function expectLedgerAgrees(id: number) {
  const paid = await entries(id)
  const ledger = await agency.ledger()
  let moved = 0
  for (const entry of paid) {
    const lines = ledger.filter(({ reference }) => reference === entry.reference)
    const executed = lines.reduce((sum, line) => sum + line.executed, 0)
    expect(executed, `${entry.receiver_phone_number} ${entry.status}`).toBe(
      entry.status === 'success' ? 1 : 0,
    )
    expect(
      new Set(lines.map(({ key }) => key)).size,
      `keys of ${entry.receiver_phone_number}`,
    ).toBeLessThanOrEqual(1)
    for (const line of lines)
      expect(line).toMatchObject({ amount: entry.amount, phone: entry.receiver_phone_number })
    if (executed) moved += entry.amount
  }
  expect((await cohort(id)).transfer_cohort_stats.total_amount_disbursed).toBe(moved)
  return ledger
}

test('each recipient’s payment ends as the agency decided, with its reason, its transaction and one movement of money', {
  timeout: 60_000,
}, async () => {
  const id = await imported('Every kind', behaving([0, 2, 3, 4, 5, 6, 7, 8, 9, 10, 99], 9_000))
  await approve(id)
  await settled(id, 40_000)
  const seen = (await entries(id)).map(
    ({ receiver_phone_number, status, failure_reason, external_trx_id }) => ({
      digits: receiver_phone_number.slice(-2),
      status,
      failure_reason,
      traced: Boolean(external_trx_id),
    }),
  )
  const success = { status: 'success', failure_reason: null, traced: true }
  const failed = (failure_reason: string) => ({ status: 'failed', failure_reason, traced: true })
  expect(seen).toEqual([
    { digits: '00', ...success },
    { digits: '02', ...failed('account_unknown') },
    { digits: '03', ...failed('account_blocked') },
    { digits: '04', ...failed('limit_exceeded') },
    { digits: '05', ...success },
    { digits: '06', ...failed('recipient_unreachable') },
    { digits: '07', ...success },
    { digits: '08', ...success },
    { digits: '09', ...success },
    { digits: '10', ...success },
    { digits: '99', ...success },
  ])
  const ledger = await expectLedgerAgrees(id)
  const sent = (digits: string) => ledger.find(({ phone }) => phone.endsWith(digits))
  expect(sent('07')).toMatchObject({ received: 2, executed: 1 })
  expect(sent('09')).toMatchObject({ received: 2, executed: 1 })
  expect((await cohort(id)).transfer_cohort_stats).toEqual({
    total_amount_expected: 99_000,
    total_amount_disbursed: 63_000,
    total_amount_arrears: 36_000,
    total_amount_pending: 0,
    total_amount_unknown: 0,
    total_amount_written_off: 0,
    total_amount_fees: 7 * 180,
  })
})

test('an approver reads that the paying account is empty; after it is filled, a retry pays each remaining recipient once', {
  timeout: 60_000,
}, async () => {
  await agency.set({ float_amount: 31_500 })
  const id = await imported('Empty account', behaving(Array.from({ length: 12 }, (_, n) => 20 + n)))
  await approve(id)
  const halted = await progress(
    id,
    ({ status, round }) => status === 'error' && round.success + round.pending === 12,
  )
  expect(halted.round).toMatchObject({ success: 3, failed: 0, unknown: 0, pending: 9, percent: 25 })
  expect((await cohort(id)).error_reason).toBe('The paying account is empty.')
  const french = await officer.get(`/admin/transfers/cohorts/${id}/summary`, { 'accept-language': 'fr' })
  expect(french.body.cohort.error_reason).toBe('Le compte payeur est vide.')
  const notifications = (await approver.get('/notifications')).body.notifications.data
  expect(notifications[0].text).toContain('Cohort "Empty account" stopped: The paying account is empty.')
  expect((await approver.post(`/admin/transfers/cohorts/${id}/approve`, { action: 'rejected' })).status).toBe(
    409,
  )
  const keys = (await agency.ledger()).map(({ key }) => key)
  await agency.set({ float_amount: null })
  expect((await approve(id)).body.message).toBe('The cohort is approved again. Its round goes on.')
  expect((await approve(id)).status).toBe(409)
  await settled(id)
  const after = await expectLedgerAgrees(id)
  expect(after.filter(({ key }) => keys.includes(key)).length).toBe(keys.length)
  expect((await cohort(id)).payrolls_count).toBe(12)
})

test('a recipient for whom the account counts as empty stays pending, and nobody is paid twice by retrying', {
  timeout: 60_000,
}, async () => {
  const id = await imported('Number 01', behaving([10, 1, 11]))
  await approve(id)
  for (let time = 0; time < 2; time++) {
    await progress(id, ({ status, round }) => status === 'error' && round.success + round.pending === 3)
    // A claim that began before the cohort was stopped may end a moment after it, and puts the payment back.
    const waiting = await until(async () => {
      const open = (await entries(id)).filter(({ status }) => status !== 'success')
      return open.every(({ status }) => status === 'pending') && open
    })
    expect(waiting).toMatchObject([{ receiver_phone_number: expect.stringMatching(/01$/) }])
    await expectLedgerAgrees(id)
    await approve(id)
  }
  await progress(id, ({ status }) => status === 'error')
})

test.each([3, 60])(
  'an agency that closes every connection ends in an error soon, for %i payments, and nobody is lost or paid twice',
  { timeout: 120_000 },
  async (size) => {
    await agency.set({ unreachable: true })
    const id = await imported(`Cut ${size}`, behaving(Array.from({ length: size }, () => 50)))
    await approve(id)
    const halted = await progress(id, ({ status }) => status === 'error', 45_000)
    expect(halted.round).toMatchObject({ total: size, success: 0, failed: 0 })
    expect((await cohort(id)).error_reason).toBe('The agency could not be reached.')
    const quiet = await progress(id, ({ round }) => round.pending + round.unknown === size)
    expect(quiet.status).toBe('error')
    await agency.set({ unreachable: false })
    expect((await approve(id)).status).toBe(200)
    const done = await settled(id, 60_000)
    expect(done).toMatchObject({ status: 'approved', round: { success: size, failed: 0 } })
    await expectLedgerAgrees(id)
  },
)

test('recipients whose replies are all lost are each paid once, without anybody’s help', {
  timeout: 60_000,
}, async () => {
  const id = await imported('Lost replies', behaving(Array.from({ length: 70 }, (_, n) => (n % 2 ? 7 : 8))))
  await approve(id)
  const done = await settled(id, 45_000)
  expect(done).toMatchObject({ status: 'approved', round: { success: 70, failed: 0 } })
  await expectLedgerAgrees(id)
})

test('an approver soon sees an error when the agency is down, and her retry pays once it is back', {
  timeout: 60_000,
}, async () => {
  const address = (host: string) => changeAgency(portal, 1, { endpoint: `http://${host}` })
  // A loopback address that the operator has not allowed.
  expect((await address('127.0.0.1:1')).status).toBe(422)
  await portal.owner.query('update transfer_agencies set endpoint = $1', [`http://${unreachable}`])
  const id = await imported('Gone', behaving([20, 21]))
  await approve(id)
  const halted = await progress(id, ({ status }) => status === 'error', 30_000)
  expect(halted.round).toMatchObject({ pending: 2, unknown: 0 })
  expect((await cohort(id)).error_reason).toBe('The agency could not be reached.')
  expect((await address(agency.host)).status).toBe(200)
  await approve(id)
  expect((await settled(id)).round.success).toBe(2)
  await expectLedgerAgrees(id)
})

test('an officer sees figures that add up on every page at every moment of a round', {
  timeout: 90_000,
}, async () => {
  await agency.set({ latency_ms: 120, lost_reply_percent: 5 })
  const id = await imported(
    'Figures',
    behaving(Array.from({ length: 150 }, (_, n) => [2, 5, 6, 7, 8, 9][n % 12] ?? 10 + (n % 90))),
  )
  const size = 150
  await approve(id)
  const parts = ['disbursed', 'arrears', 'pending', 'unknown', 'written_off']
  const sumOf = (stats: Record<string, number>) =>
    parts.reduce((sum, part) => sum + (stats[`total_amount_${part}`] ?? Number.NaN), 0)
  const kinds = new Set<string>()
  let looks = 0
  await until(async () => {
    const [summary, payrolls, list, settings, now] = await Promise.all(
      [
        `cohorts/${id}/summary`,
        `cohorts/${id}/payrolls`,
        `cohorts?search=figures`,
        'settings',
        `cohorts/${id}/progress`,
      ].map(async (path) => (await officer.get(`/admin/transfers/${path}`)).body),
    )
    looks += 1
    for (const { transfer_cohort_stats: stats } of [summary.cohort, payrolls.cohort, list.cohorts.data[0]]) {
      expect(stats.total_amount_expected).toBe(size * 10_500)
      expect(sumOf(stats)).toBe(size * 10_500)
      for (const part of parts) if (stats[`total_amount_${part}`] > 0) kinds.add(part)
    }
    const [round] = payrolls.cohort.transfer_payroll_groups.data
    expect(
      round.disbursed + round.arrears + round.pending_amount + round.unknown_amount + round.written_off,
    ).toBe(round.expected)
    expect(round.successful + round.failed + round.pending + round.unknown).toBe(round.count)
    expect(
      settings.totalAmountDisbursed +
        settings.finalAmountArrears +
        settings.totalAmountPending +
        settings.totalAmountUnknown +
        settings.totalAmountWrittenOff,
    ).toBe(settings.totalAmountExpected)
    expect(now.round.percent === 100).toBe(now.round.success + now.round.failed === size)
    expect(now.round.pending + now.round.success + now.round.failed + now.round.unknown).toBe(size)
    return now.round.pending === 0 && now.round.unknown === 0
  }, 60_000)
  expect(looks).toBeGreaterThan(5)
  expect([...kinds].sort()).toEqual(['arrears', 'disbursed', 'pending', 'unknown'])
  await agency.set({ latency_ms: 0, lost_reply_percent: 0 })
  await expectLedgerAgrees(id)
  const { body: settings } = await officer.get('/admin/transfers/settings')
  const {
    rows: [sums],
  } = await portal.owner.query(
    "select sum(amount) filter (where status = 'success') as paid, sum(fees) filter (where status = 'success') as fees from transfer_payrolls",
  )
  expect(settings).toMatchObject({
    totalAmountDisbursed: Number(sums.paid),
    totalAmountFees: Number(sums.fees),
  })
})

test('nobody misses a payment or is paid twice when the agency stops answering during a round', {
  timeout: 120_000,
}, async () => {
  await agency.set({ latency_ms: 300 })
  const id = await imported('Midway', behaving(Array.from({ length: 160 }, (_, n) => 10 + (n % 90))))
  await approve(id)
  await progress(id, ({ round }) => round?.success > 20)
  await agency.set({ unreachable: true })
  const halted = await progress(id, ({ status }) => status === 'error', 45_000)
  expect(halted.round.failed).toBe(0)
  const lost = await progress(id, ({ round }) => round.pending + round.unknown + round.success === 160)
  expect(lost.round.unknown).toBeGreaterThan(0)
  await agency.set({ unreachable: false, latency_ms: 100 })
  await approve(id)
  const done = await settled(id, 60_000)
  expect(done).toMatchObject({ status: 'approved', round: { success: 160, failed: 0, percent: 100 } })
  await expectLedgerAgrees(id)
})
