import { afterAll, expect, test } from 'vitest'
import type { Client } from '../client.ts'
import { recipient, startStage } from '../cohorts.ts'
import { runCommand } from '../commands.ts'
import { until } from '../portal.ts'
import { gsmaDetails, startGsma } from '../transfers/agencies/gsma.ts'
import { callbackSecret, signatureOf, startWave, waveKey } from '../transfers/agencies/wave.ts'
import { mortalWorkers } from '../workers.ts'

const stage = await startStage(1_100)
const { portal, officer, imported, approve, cohort, progress } = stage
const [wave, gsma] = [await startWave(), await startGsma()]
afterAll(() => Promise.all([wave.close(), gsma.close()]))
portal.settings.agencyHosts.push(wave.host, gsma.host)
const workers = mortalWorkers(portal.settings)
let worker = workers.start()
const visitor = await portal.visitor()

/** A payment of an agency's own ledger, in the words of no agency. */
type Paid = {
  reference: string
  transaction: string
  phone: string
  amount: number
  fee: number
  at: string
  moved: number
}
type Side = {
  name: string
  endpoint: string
  details: Record<string, unknown>
  set: (switches: Record<string, unknown>) => Promise<void>
  ledger: () => Promise<{ payments: Paid[]; moved: number }>
  /** Reports a payment as failed, whatever became of it. */
  report: (agency: number, reference: string) => ReturnType<Client['post']>
  /** The status with which its standard wants a report to be answered. */
  reported: 200 | 204
}

const sides: Side[] = [
  {
    name: 'wave',
    endpoint: wave.url,
    details: { protocol: 'wave', wallet: 'Programme', api_key: waveKey, callback_secret: callbackSecret },
    set: wave.set,
    async ledger() {
      const { payouts, moved } = await wave.ledger()
      const payments = payouts.map(({ client_reference, id, mobile, ...rest }) => ({
        ...rest,
        reference: client_reference,
        transaction: id,
        phone: mobile,
      }))
      return { payments, moved }
    },
    report(agency, client_reference) {
      const event = { type: 'payout.failed', data: { client_reference, status: 'failed' } }
      return visitor.post(`/callbacks/${agency}`, event, signatureOf(event))
    },
    reported: 200,
  },
  {
    name: 'gsma',
    endpoint: gsma.endpoint,
    details: gsmaDetails,
    set: gsma.set,
    async ledger() {
      const { disbursements, moved } = await gsma.ledger()
      return { payments: disbursements.map(({ msisdn, ...rest }) => ({ ...rest, phone: msisdn })), moved }
    },
    async report(agency, reference) {
      const { disbursements } = await gsma.ledger()
      const { search } = new URL(String(disbursements.find((each) => each.reference === reference)?.callback))
      return visitor.put(`/callbacks/${agency}${search}`, { errorCode: 'incorrectState' })
    },
    reported: 204,
  },
]

async function addAgency({ name, endpoint, details }: Side): Promise<number> {
  const admin = await portal.signedInAs('Administrator')
  const made = await admin.post('/admin/transfers/agency', {
    name: `Story of ${name}`,
    description: 'Account of the programme',
    type: 'mobile_money',
    country: 'ml',
    fees: 1,
    endpoint,
    details: { ...details, concurrency: 50, rate: 1000 },
  })
  expect(made.status).toBe(200)
  const { rows } = await portal.owner.query('select max(id)::int as id from transfer_agencies')
  return rows[0].id
}

let used = 0
const ending = (lastTwo: number, count: number) =>
  Array.from({ length: count }, () => recipient(++used, { lastTwo }))

const lineOf = ({ reference, transaction, phone, amount, fee, at }: Paid) =>
  [reference, transaction, phone, amount, fee, at].join(';')

test.each(sides)(
  'the story of $name: 500 recipients are paid once, in spite of all, and its statement confirms each franc',
  {
    timeout: 240_000,
  },
  async (side) => {
    const agency = await addAgency(side)
    await side.set({ balance: 2_000_000, lost_reply_percent: 3, throttled: 5, latency_ms: 20 })
    const refused = [...ending(2, 5), ...ending(3, 5), ...ending(4, 4), ...ending(12, 3), ...ending(6, 3)]
    const late = [...ending(5, 5), ...ending(7, 4), ...ending(8, 5), ...ending(9, 4)]
    const id = await imported(
      `Paid by ${side.name}`,
      [...ending(21, 231), ...refused, ...late, ...ending(20, 231)],
      { transfer_agency_id: agency },
    )
    await approve(id)
    await progress(id, ({ round }) => round?.success > 60)
    await workers.end(worker, 'SIGKILL')
    worker = workers.start()

    // The account is empty after some 190 payments: the round stops, and goes on once it is filled.
    await progress(id, ({ status }) => status === 'error', 60_000)
    expect((await cohort(id)).error_reason).toBe('The paying account is empty.')
    // While money is missing, every payment is reported as failed, the last first, and each twice.
    const references = (await side.ledger()).payments.map(({ reference }) => reference)
    for (const reference of [...references].reverse())
      for (let n = 0; n < 2; n++) expect((await side.report(agency, reference)).status).toBe(side.reported)
    await side.set({ balance: null })
    expect((await approve(id)).status).toBe(200)
    const { round } = await progress(
      id,
      (now) => now.round?.success === 480 && now.round.failed === 20,
      90_000,
    )
    expect(round).toMatchObject({ pending: 0, unknown: 0 })

    const { payments, moved } = await side.ledger()
    const stats = (await cohort(id)).transfer_cohort_stats
    expect(stats).toMatchObject({
      total_amount_disbursed: 480 * 10_500,
      total_amount_arrears: 20 * 10_500,
      total_amount_unknown: 0,
    })
    expect(moved).toBe(stats.total_amount_disbursed)
    const paid = payments.filter((each) => each.moved > 0)
    expect(new Set(paid.map(({ reference }) => reference)).size).toBe(480)
    expect(paid.every((each) => each.moved === 1)).toBe(true)
    const verified = await runCommand(portal.settings, 'ledger-verify', [])
    expect([verified.code, verified.err]).toEqual([0, ''])

    await confirm(agency, side.name, paid)
    expect((await cohort(id)).total_amount_confirmed).toBe(moved)
  },
)

/** The agency's statement is made of its own ledger. One person uploads it, another signs it. */
async function confirm(agency: number, name: string, paid: readonly Paid[]): Promise<void> {
  const path = '/admin/transfers/statements'
  const days = paid.map(({ at }) => at.slice(0, 10)).sort()
  const titles = ['Client reference', 'Transaction id', 'Mobile', 'Amount', 'Fee', 'Timestamp'].join(';')
  const sent = await officer.upload(path, {
    statement_file: new File([[titles, ...paid.map(lineOf)].join('\r\n')], `${name}.csv`),
    transfer_agency_id: agency,
    from: String(days[0]),
    to: String(days.at(-1)),
  })
  expect(sent.status).toBe(200)
  const { id } = sent.body.statement
  const statement = await until(async () => {
    const { body } = await officer.get(`${path}/${id}`)
    return ['open', 'failed'].includes(body.statement.state) && body.statement
  })
  expect(statement.totals).toMatchObject([
    { category: 'matched', count: paid.length, their_amount: paid.length * 10_500 },
  ])
  const person = await portal.signedInAs('Transfer Approver')
  expect((await person.post(`${path}/${id}/sign`, { version: statement.version })).status).toBe(200)
}
