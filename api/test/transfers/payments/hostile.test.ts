import { once } from 'node:events'
import { afterAll, beforeEach, expect, test } from 'vitest'
import { recipient, startStage } from '../../cohorts.ts'
import { spawnWorker } from '../agencies/agency.ts'

const stage = await startStage(800)
const { portal, agency, imported, approve, progress } = stage
const worker = spawnWorker(portal.settings)
afterAll(async () => {
  const exited = once(worker, 'exit')
  worker.kill('SIGTERM')
  await exited
})
beforeEach(() => agency.set({ hostile: [], latency_ms: 0 }))

let used = 0
/** Recipients with numbers that end in these digits. The agency's rules depend on the last two digits. */
const ending = (...digits: number[]) => digits.map((lastTwo) => recipient(++used, { lastTwo }))
const honest = (count: number) => ending(...Array.from({ length: count }, () => 20))

type Payment = {
  id: number
  status: string
  failure_reason: string | null
  phone: string
  trx: string | null
  tries: number
}
async function payments(cohort: number): Promise<Payment[]> {
  const { rows } = await portal.owner.query(
    `select p.id, p.status, p.failure_reason, p.receiver_phone_number as phone, p.external_trx_id as trx, a.tries
     from transfer_payrolls p join transfer_payroll_groups g on g.id = p.payroll_group_id
       left join payment_attempts a on a.payroll_id = p.id
     where g.cohort_id = $1 order by p.id`,
    [cohort],
  )
  return rows
}
async function exceptions(cohort: number) {
  const { rows } = await portal.owner.query(
    `select e.kind, e.expected, e.answered, right(p.receiver_phone_number, 2) as digits
     from payment_exceptions e join transfer_payrolls p on p.id = e.payroll_id
       join transfer_payroll_groups g on g.id = p.payroll_group_id
     where g.cohort_id = $1 order by e.id`,
    [cohort],
  )
  return rows
}
/** Waits until all orders are sent and `unknown` of them are unknown. They stay so while the agency misbehaves. */
const sent = (id: number, unknown: number, ms?: number) =>
  progress(id, ({ round }) => round?.pending === 0 && round.unknown === unknown, ms)

test.each([
  ['other_amount', 'amount', '10500', '105000'],
  ['other_reference', 'reference', /^\S+$/, /-of-somebody-else$/],
  ['other_phone', 'recipient', /30$/, /77$/],
  ['other_currency', 'currency', 'XOF', 'EUR'],
  ['other_key', 'key', /^\S+$/, /-of-somebody-else$/],
])(
  'an agency’s response with %s does not count, and an officer finds both values',
  {
    timeout: 60_000,
  },
  async (mode, kind, expected, answered) => {
    await agency.set({ hostile: [{ mode, numbers: ['30'] }] })
    const id = await imported(`Echo ${mode}`, ending(20, 30, 21))
    await approve(id)
    await sent(id, 1)
    const matching = (value: string | RegExp) =>
      value instanceof RegExp ? expect.stringMatching(value) : value
    expect((await payments(id)).map(({ status }) => status)).toEqual(['success', 'unknown', 'success'])
    expect(await exceptions(id)).toEqual([
      { kind, digits: '30', expected: matching(expected), answered: matching(answered) },
    ])
    await agency.set({ hostile: [] })
    await sent(id, 0, 40_000)
    expect((await payments(id)).map(({ status }) => status)).toEqual(['success', 'success', 'success'])
  },
)

test('an agency’s transaction pays one person only, even if the agency reports it for several', {
  timeout: 60_000,
}, async () => {
  await agency.set({ hostile: [{ mode: 'repeated_id', numbers: ['31'] }] })
  const id = await imported('One transaction', ending(20, ...Array.from({ length: 20 }, () => 31)))
  await approve(id)
  await sent(id, 20)
  const paid = await payments(id)
  expect(paid.filter(({ status }) => status === 'success')).toHaveLength(1)
  expect(new Set(paid.flatMap(({ trx }) => trx ?? [])).size).toBe(1)
  const found = await exceptions(id)
  expect(found).toHaveLength(20)
  expect(found.every(({ kind }) => kind === 'transaction')).toBe(true)
})

test.each(['fraction_fee', 'nul_id', 'wrong_types', 'not_json', 'cut_body', 'huge_body'])(
  'after an agency’s response with %s the payment is unknown, the others are settled, and queries are spaced out',
  { timeout: 60_000 },
  async (mode) => {
    await agency.set({ hostile: [{ mode, numbers: ['32'] }] })
    const id = await imported(`Spoilt by ${mode}`, [...honest(40), ...ending(32), ...honest(20)])
    await approve(id)
    await sent(id, 1)
    const spoilt = (await payments(id)).filter(({ status }) => status !== 'success')
    expect(spoilt).toMatchObject([{ status: 'unknown', failure_reason: expect.stringMatching(/./) }])
    expect(spoilt[0]?.tries).toBeLessThan(5)
    await agency.set({ hostile: [] })
    await sent(id, 0, 40_000)
  },
)

test('an agency that sends its response byte by byte occupies a slot no longer than the timeout of a call', {
  timeout: 60_000,
}, async () => {
  await portal.owner.query(`update transfer_agencies set details = details || '{"timeout_ms": 1000}'`)
  await agency.set({ hostile: [{ mode: 'drip', numbers: ['33'], ms: 200 }] })
  const id = await imported('Dripping', [...ending(33), ...honest(5)])
  await approve(id)
  await progress(id, ({ round }) => round?.success === 5, 5_000)
  const { round } = await sent(id, 1, 10_000)
  expect(round.success).toBe(5)
  expect((await payments(id)).find(({ status }) => status === 'unknown')?.failure_reason).toBe(
    'no_answer_in_time',
  )
})
