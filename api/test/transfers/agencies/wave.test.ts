import { afterAll, expect, test } from 'vitest'
import { recipient, startStage } from '../../cohorts.ts'
import { runCommand } from '../../commands.ts'
import { until } from '../../portal.ts'
import { mortalWorkers } from '../../workers.ts'
import { callbackSecret, signatureOf, startWave, waveKey } from './wave.ts'

const stage = await startStage(600)
const { portal, approver, imported, approve, cohort, progress } = stage
const wave = await startWave()
afterAll(() => wave.close())
portal.settings.agencyHosts.push(wave.host)
const workers = mortalWorkers(portal.settings)
const first = workers.start()

/** An administrator adds the wallet over HTTP, so that its key is sealed. */
async function addWallet(): Promise<number> {
  const admin = await portal.signedInAs('Administrator')
  const made = await admin.post('/admin/transfers/agency', {
    name: 'Wave Mali',
    description: 'Wallet of the programme',
    type: 'mobile_money',
    country: 'ml',
    fees: 1,
    endpoint: wave.url,
    details: {
      protocol: 'wave',
      wallet: 'Programme',
      api_key: waveKey,
      callback_secret: callbackSecret,
      concurrency: 50,
      rate: 1000,
    },
  })
  expect(made.status).toBe(200)
  const { rows } = await portal.owner.query(
    "select id, details, secret_names from transfer_agencies where protocol = 'wave'",
  )
  expect(rows[0]).toMatchObject({
    details: { wallet: 'Programme' },
    secret_names: ['api_key', 'callback_secret'],
  })
  return rows[0].id
}
const wallet = await addWallet()

let used = 0
const ending = (lastTwo: number, count: number) =>
  Array.from({ length: count }, () => recipient(++used, { lastTwo }))

test('an approver pays 500 recipients through Wave, in spite of lost responses, refusals, an empty wallet and a killed worker', {
  timeout: 120_000,
}, async () => {
  await wave.set({ balance: 2_000_000, lost_reply_percent: 3, throttled: 5, latency_ms: 20 })
  const refused = [...ending(2, 5), ...ending(3, 5), ...ending(4, 4), ...ending(12, 3), ...ending(6, 3)]
  const late = [...ending(5, 5), ...ending(7, 4), ...ending(8, 5), ...ending(9, 4)]
  const id = await imported('Paid by Wave', [...ending(20, 231), ...refused, ...late, ...ending(21, 231)], {
    transfer_agency_id: wallet,
  })
  await approve(id)
  await progress(id, ({ round }) => round?.success > 60)
  await workers.end(first, 'SIGKILL')
  workers.start()

  // The wallet is empty after some 190 payments: the round stops, and goes on once it is filled.
  await progress(id, ({ status }) => status === 'error')
  expect((await cohort(id)).error_reason).toBe('The paying account is empty.')
  await wave.set({ balance: null })
  expect((await approve(id)).status).toBe(200)
  const { round } = await progress(id, (now) => now.round?.success === 480 && now.round.failed === 20, 60_000)
  expect(round).toMatchObject({ pending: 0, unknown: 0 })

  const { payouts, moved } = await wave.ledger()
  const stats = (await cohort(id)).transfer_cohort_stats
  expect(stats).toMatchObject({
    total_amount_disbursed: 480 * 10_500,
    total_amount_arrears: 20 * 10_500,
    total_amount_unknown: 0,
  })
  expect(moved).toBe(stats.total_amount_disbursed)
  const times = new Map<string, number>()
  for (const { client_reference, moved: n } of payouts)
    times.set(client_reference, (times.get(client_reference) ?? 0) + n)
  expect(Math.max(...times.values())).toBe(1)

  // Staff read Wave's code and what ends the failure.
  const page = (await approver.get(`/admin/transfers/cohorts/${id}/payrolls`)).body.cohort
  expect(page.failures).toMatchObject([
    {
      reason: 'recipient-account-inactive',
      agency_code: 'recipient-account-inactive',
      next_step: expect.stringContaining('correct the recipient'),
      count: 8,
    },
    { reason: 'recipient-account-blocked', count: 5 },
    { reason: 'recipient-limit-exceeded', next_step: expect.stringContaining('limit starts anew'), count: 4 },
    { reason: 'recipient-minor', count: 3 },
  ])
  const verified = await runCommand(portal.settings, 'ledger-verify', [])
  expect([verified.code, verified.err]).toEqual([0, ''])
})

test('a payment that was refused at Wave is paid by a retry, although its first response is lost', {
  timeout: 60_000,
}, async () => {
  const rows = ending(8, 1)
  const mobile = String(rows[0]?.[2])
  const id = await imported('Again', rows, { transfer_agency_id: wallet })
  // Wave stores the refused payout, so that a search by reference finds it beside the second one.
  await wave.set({ fails: [mobile] })
  await approve(id)
  const [entry] = await until(async () => {
    const { rows: found } = await portal.owner.query(
      `select p.id, p.status, p.reference from transfer_payrolls p join transfer_payroll_groups g on g.id = p.payroll_group_id
       where g.cohort_id = $1 and p.status = 'failed'`,
      [id],
    )
    return found.length === 1 && found
  })
  await wave.set({ fails: [] })
  expect((await approver.post('/admin/transfers/payrolls/retry', { payroll_ids: [entry.id] })).status).toBe(
    200,
  )
  await progress(id, ({ round }) => round?.success === 1)
  const mine = (await wave.ledger()).payouts.filter((each) => each.client_reference === entry.reference)
  expect(mine.map(({ status, moved }) => [status, moved])).toEqual([
    ['failed', 0],
    ['succeeded', 1],
  ])
})

test('an order that Wave does not find after the life of its key is left to a person, and never sent again', {
  timeout: 60_000,
}, async () => {
  await wave.set({ balance: null, lost_reply_percent: 0, failing: true })
  const id = await imported('Too late', ending(20, 2), { transfer_agency_id: wallet })
  await approve(id)
  await progress(id, ({ round }) => round?.unknown === 2)
  const age = "update payment_attempts set sent_at = now() - interval '12 hours' where state = 'unknown'"
  await portal.owner.query(age)
  await wave.set({ failing: false })
  await until(async () => {
    const { rows } = await portal.owner.query(
      "select from transfer_payrolls where failure_reason = 'not_found_too_late' and status = 'unknown'",
    )
    return rows.length === 2
  }, 40_000)
  const { rows } = await portal.owner.query('select reference from transfer_payrolls where status = $1', [
    'unknown',
  ])
  const references = rows.map(({ reference }) => reference)
  expect((await wave.ledger()).payouts.filter((each) => references.includes(each.client_reference))).toEqual(
    [],
  )
})

/** A cohort of one payment whose response was lost. Only a report of Wave makes the portal query it. */
async function waitsForReport(name: string): Promise<number> {
  await wave.set({ balance: null, lost_reply_percent: 0, failing: false })
  const id = await imported(name, ending(8, 1), { transfer_agency_id: wallet })
  // A back-off of an hour.
  await portal.owner.query(`create or replace function wait_long() returns trigger language plpgsql as $$
    begin new.ask_at := now() + interval '1 hour'; return new; end $$`)
  await portal.owner.query(
    `create trigger wait_long before update on payment_attempts for each row
     when (new.state = 'unknown' and old.state = 'sending') execute function wait_long()`,
  )
  await approve(id)
  await progress(id, ({ round }) => round?.unknown === 1)
  await portal.owner.query('drop trigger wait_long on payment_attempts')
  return id
}

/** Sends a report as Wave does. */
const report = async (
  event: object,
  { agency = wallet, ...signing }: { secret?: string; ageSeconds?: number; agency?: number } = {},
) => (await portal.visitor()).post(`/callbacks/${agency}`, event, signatureOf(event, signing))

test('a report of Wave makes the portal query, and is neither believed nor of effect twice or out of order', {
  timeout: 60_000,
}, async () => {
  const id = await waitsForReport('Reported')
  const attempt = async () => {
    const { rows } = await portal.owner.query(
      `select a.state, a.tries, a.settled_at, p.reference, p.updated_at
       from payment_attempts a join transfer_payrolls p on p.id = a.payroll_id
       join transfer_payroll_groups g on g.id = p.payroll_group_id where g.cohort_id = $1`,
      [id],
    )
    return rows[0]
  }
  const waiting = await attempt()
  const client_reference = waiting.reference
  const failed = { id: 'EV_2', type: 'payout.failed', data: { client_reference, status: 'failed' } }
  const strange = [
    await report(failed, { secret: 'another secret of 20' }),
    await report(failed, { ageSeconds: 400 }),
    await report(failed, { ageSeconds: -400 }),
    await report(failed, { agency: 1 }),
    await report(failed, { agency: 999_999 }),
    await (await portal.visitor()).post(`/callbacks/${wallet}`, failed),
  ]
  expect(strange.map(({ status }) => status)).toEqual([401, 401, 401, 401, 401, 401])
  expect(await attempt()).toEqual(waiting)
  expect((await report({ data: { client_reference: 'of nobody' } })).body).toEqual({ asked: 0 })

  // It says that the payment failed. Wave, when it is queried, says that it was paid.
  expect(await report(failed)).toMatchObject({ status: 200, body: { asked: 1 } })
  await progress(id, ({ round }) => round?.success === 1)
  const settled = await attempt()
  expect(settled).toMatchObject({ state: 'success', tries: 2 })
  const processing = {
    id: 'EV_1',
    type: 'payout.processing',
    data: { client_reference, status: 'processing' },
  }
  for (const late of [failed, failed, processing])
    expect(await report(late)).toMatchObject({ status: 200, body: { asked: 0 } })
  expect(await attempt()).toEqual(settled)
  const mine = (await wave.ledger()).payouts.filter((each) => each.client_reference === client_reference)
  expect(mine).toMatchObject([{ moved: 1 }])
})

test('staff see an exception if Wave has two payouts of one payment, and its outcome stands', {
  timeout: 60_000,
}, async () => {
  const id = await waitsForReport('Paid twice')
  const { rows } = await portal.owner.query(
    `select p.reference, p.receiver_phone_number as mobile, p.amount from transfer_payrolls p
     join transfer_payroll_groups g on g.id = p.payroll_group_id where g.cohort_id = $1`,
    [id],
  )
  const { reference: client_reference, mobile, amount } = rows[0]
  const second = fetch(`${wave.url}/v1/payout`, {
    method: 'POST',
    headers: {
      authorization: `Bearer ${waveKey}`,
      'content-type': 'application/json',
      'idempotency-key': 'of another program',
    },
    body: JSON.stringify({
      currency: 'XOF',
      receive_amount: String(amount),
      mobile,
      client_reference,
      name: 'Awa',
    }),
  })
  // Its response is lost, too.
  await expect(second).rejects.toThrow('fetch failed')
  const mine = (await wave.ledger()).payouts.filter((each) => each.client_reference === client_reference)
  expect(mine).toMatchObject([{ moved: 1 }, { moved: 1 }])

  await report({ id: 'EV_3', type: 'payout.succeeded', data: { client_reference, status: 'succeeded' } })
  await progress(id, ({ round }) => round?.success === 1)
  const open = (await approver.get('/admin/transfers/exceptions?state=open&kind=several')).body.exceptions
    .data
  expect(open).toMatchObject([
    {
      reference: client_reference,
      status: 'success',
      kind: 'several',
      expected: mine[0]?.id,
      answered: mine[1]?.id,
    },
  ])
})
