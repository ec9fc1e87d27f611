import { once } from 'node:events'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { afterAll, expect, test } from 'vitest'
import { changeAgency, recipient, startStage } from '../../cohorts.ts'
import { runCommand } from '../../commands.ts'
import { until } from '../../portal.ts'
import { mortalWorkers } from '../../workers.ts'
import { addGsma, gsmaAccount, gsmaClient, gsmaKey, gsmaSecret, startGsma } from './gsma.ts'

const stage = await startStage(80)
const { portal, approver, imported, approve, cohort, progress } = stage
const gsma = await startGsma()
afterAll(() => gsma.close())
portal.settings.agencyHosts.push(gsma.host)
const workers = mortalWorkers(portal.settings)
const worker = workers.start()

const operator = await addGsma(portal, gsma.endpoint, 'GSMA Mali', { concurrency: 50, rate: 1000 })

test('an operator’s key is sealed as an administrator adds it', async () => {
  const { rows } = await portal.owner.query(
    'select details, secret_names from transfer_agencies where id = $1',
    [operator],
  )
  expect(rows[0]).toMatchObject({
    details: { paying_account: gsmaAccount },
    secret_names: ['api_key', 'callback_secret'],
  })
  expect(JSON.stringify(rows[0].details)).not.toContain(gsmaKey)
})

let used = 0
const ending = (lastTwo: number, count: number) =>
  Array.from({ length: count }, () => recipient(++used, { lastTwo }))

test('an approver pays 40 recipients through an operator, in spite of lost replies, refusals and an empty account', {
  timeout: 60_000,
}, async () => {
  await gsma.set({ balance: 200_000, lost_reply_percent: 5, throttled: 2, ends_after_ms: 50 })
  const refused = [...ending(2, 2), ...ending(3, 1), ...ending(4, 1), ...ending(6, 2)]
  const late = [...ending(5, 1), ...ending(7, 1), ...ending(8, 2), ...ending(9, 1)]
  const id = await imported(
    'Paid by an operator',
    [...ending(21, 19), ...refused, ...late, ...ending(20, 10)],
    {
      transfer_agency_id: operator,
    },
  )
  await approve(id)
  await progress(id, ({ status }) => status === 'error')
  expect((await cohort(id)).error_reason).toBe('The paying account is empty.')
  await gsma.set({ balance: null })
  expect((await approve(id)).status).toBe(200)
  const { round } = await progress(id, (now) => now.round?.success === 34 && now.round.failed === 6, 40_000)
  expect(round).toMatchObject({ pending: 0, unknown: 0 })

  const { disbursements, moved } = await gsma.ledger()
  const stats = (await cohort(id)).transfer_cohort_stats
  expect(stats).toMatchObject({ total_amount_disbursed: 34 * 10_500, total_amount_arrears: 6 * 10_500 })
  expect(moved).toBe(stats.total_amount_disbursed)
  expect(Math.max(...disbursements.map((each) => each.moved))).toBe(1)

  const page = (await approver.get(`/admin/transfers/cohorts/${id}/payrolls`)).body.cohort
  expect(page.failures).toEqual(
    expect.arrayContaining([
      expect.objectContaining({
        reason: 'identifierError',
        next_step: expect.stringContaining('correct the recipient'),
        count: 2,
      }),
      expect.objectContaining({ reason: 'incorrectState', count: 3 }),
      expect.objectContaining({
        reason: 'dailyValueLimitExceeded',
        next_step: expect.stringContaining('limit starts anew'),
        count: 1,
      }),
    ]),
  )
  const verified = await runCommand(portal.settings, 'ledger-verify', [])
  expect([verified.code, verified.err]).toEqual([0, ''])
})

test('a payment that an operator accepted and refused later is paid by a retry with another key', {
  timeout: 30_000,
}, async () => {
  const rows = ending(21, 1)
  const id = await imported('Again', rows, { transfer_agency_id: operator })
  await gsma.set({ balance: null, lost_reply_percent: 0, fails: [String(rows[0]?.[2])] })
  await approve(id)
  await progress(id, ({ round }) => round?.failed === 1)
  const { rows: found } = await portal.owner.query(
    `select p.id, p.reference from transfer_payrolls p join transfer_payroll_groups g on g.id = p.payroll_group_id
     where g.cohort_id = $1`,
    [id],
  )
  await gsma.set({ fails: [] })
  const again = await approver.post('/admin/transfers/payrolls/retry', { payroll_ids: [found[0].id] })
  expect(again.status).toBe(200)
  await progress(id, ({ round }) => round?.success === 1)
  const mine = (await gsma.ledger()).disbursements.filter(({ reference }) => reference === found[0].reference)
  expect(mine.map(({ status, moved }) => [status, moved])).toEqual([
    ['failed', 0],
    ['completed', 1],
  ])
})

test('a report of an operator makes the portal query, and is neither believed nor of effect twice or out of order', {
  timeout: 30_000,
}, async () => {
  await gsma.set({ balance: null, lost_reply_percent: 0, fails: [] })
  const id = await imported('Reported', ending(8, 1), { transfer_agency_id: operator })
  // A back-off of an hour, so that nothing but the report makes the portal query.
  await portal.owner.query(`create function wait_long() returns trigger language plpgsql as $$
    begin new.ask_at := now() + interval '1 hour'; return new; end $$`)
  await portal.owner.query(
    `create trigger wait_long before update on payment_attempts for each row
     when (new.state = 'unknown' and old.state = 'sending') execute function wait_long()`,
  )
  await approve(id)
  await progress(id, ({ round }) => round?.unknown === 1)
  await portal.owner.query('drop trigger wait_long on payment_attempts')
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
  const mine = async () =>
    (await gsma.ledger()).disbursements.find(({ reference }) => reference === waiting.reference)
  // The address that the operator got with the order: it is made for this payment alone.
  const address = new URL(String((await mine())?.callback))
  expect(address.pathname).toBe(`/api/callbacks/${operator}`)
  const visitor = await portal.visitor()
  const put = (search: string, body: object, agency = operator) =>
    visitor.put(`/callbacks/${agency}${search}`, body)
  const failed = { errorCategory: 'businessRule', errorCode: 'incorrectState' }
  const changed = new URLSearchParams(address.search)
  changed.set('payment', 'another payment')
  const strange = [
    await put('', failed),
    await put(`?${changed}`, failed),
    await put(`${address.search.slice(0, -1)}x`, failed),
    await put(address.search, failed, 1),
    await put(address.search, failed, 999_999),
  ]
  expect(strange.map(({ status }) => status)).toEqual([401, 401, 401, 401, 401])
  expect(await attempt()).toEqual(waiting)

  // It says that the payment failed. The operator, when it is queried, says that it was paid.
  await until(async () => (await mine())?.status === 'completed')
  // The standard wants 204 for each report that was received.
  expect(await put(address.search, failed)).toMatchObject({ status: 204, body: undefined })
  await progress(id, ({ round }) => round?.success === 1)
  const settled = await attempt()
  expect(settled).toMatchObject({ state: 'success', tries: 2 })
  for (const late of [failed, failed, { transactionStatus: 'pending' }])
    expect(await put(address.search, late)).toMatchObject({ status: 204, body: undefined })
  expect(await attempt()).toEqual(settled)
  expect(await mine()).toMatchObject({ moved: 1, calls: 1 })
})

test('an operator that asks for tokens is paid through once two administrators agree, though its tokens are revoked in mid-round', {
  timeout: 60_000,
}, async () => {
  await gsma.set({ balance: null, signs_in_by: 'token', token_calls: 12, ends_after_ms: 20 })
  const read = async () =>
    (await approver.get('/admin/transfers/settings')).body.agencies.find(
      ({ id }: { id: number }) => id === operator,
    )
  const own = { protocol: 'gsma', paying_account: gsmaAccount, concurrency: 4, rate: 1000 }
  const tokens = { token_url: gsma.tokenUrl, callback_secret: gsmaSecret, ...gsmaClient }
  const one = await portal.signedInAs('Administrator')
  const propose = (details: object) =>
    one.put(`/admin/transfers/agency/${operator}`, { details: JSON.stringify({ ...own, ...details }) })
  const refusals: [object, string][] = [
    [{ ...tokens, client_secret: undefined }, 'details.client_secret'],
    [{ ...tokens, client_id: undefined }, 'details.client_id'],
    [{ ...tokens, token_url: undefined, api_key: gsmaKey }, 'details.token_url'],
    [{ ...tokens, token_url: 'https://127.0.0.1/token' }, 'details.token_url'],
    [{ ...tokens, token_url: 7 }, 'details.token_url'],
    [{ ...tokens, callback_secret: undefined }, 'details.callback_secret'],
    [{ callback_secret: gsmaSecret }, 'details.api_key'],
  ]
  for (const [details, field] of refusals) {
    const refused = await propose(details)
    expect([details, refused.status, Object.keys(refused.body.errors ?? {})]).toEqual([details, 422, [field]])
  }
  const changed = await changeAgency(portal, operator, { details: JSON.stringify({ ...own, ...tokens }) })
  expect(changed.status).toBe(200)
  expect(await read()).toMatchObject({
    details: { token_url: gsma.tokenUrl, client_id: gsmaClient.client_id },
    secrets: ['callback_secret', 'client_secret'],
    declares: { abilities: expect.arrayContaining(['balance']) },
  })

  const before = await gsma.ledger()
  const id = await imported('Paid with tokens', ending(21, 20), { transfer_agency_id: operator })
  await approve(id)
  await progress(id, ({ round }) => round?.success === 20)
  const after = await gsma.ledger()
  expect(after.moved - before.moved).toBe(20 * 10_500)
  expect(after.tokens.given - before.tokens.given).toBeGreaterThan(4)
  expect(after.strangers).toBeGreaterThan(before.strangers)
  expect(Math.max(...after.disbursements.map((each) => each.moved))).toBe(1)

  // A secret that is wrong stops the next round with a sentence, and no order leaves.
  const wrong = { ...own, ...tokens, client_secret: 'a-secret-that-is-no-more' }
  expect((await changeAgency(portal, operator, { details: JSON.stringify(wrong) })).status).toBe(200)
  const stopped = await imported('Paid with no token', ending(21, 2), { transfer_agency_id: operator })
  await approve(stopped)
  await progress(stopped, ({ status }) => status === 'error')
  expect((await cohort(stopped)).error_reason).toBe('The agency refused our credentials.')
  expect((await gsma.ledger()).moved).toBe(after.moved)
})

/** Gives out the operator's tokens, from when a test opens it. */
async function startTokenGate() {
  const opening = Promise.withResolvers<void>()
  const gate = createServer(async (request, response) => {
    await opening.promise
    const answer = await fetch(gsma.tokenUrl, {
      method: 'POST',
      headers: {
        authorization: String(request.headers.authorization),
        'content-type': String(request.headers['content-type']),
      },
      body: 'grant_type=client_credentials',
    })
    response.setHeader('content-type', 'application/json').end(await answer.text())
  })
  // The connection of whoever asks ends only if the asker ends it.
  gate.keepAliveTimeout = 0
  gate.listen(0, '127.0.0.1')
  await once(gate, 'listening')
  afterAll(() => gate.close())
  const host = `127.0.0.1:${(gate.address() as AddressInfo).port}`
  portal.settings.agencyHosts.push(host)
  return { gate, tokenUrl: `http://${host}/oauth/token`, open: opening.resolve }
}

test('a worker that was frozen while it waited for a token sends no order after another one has paid', {
  timeout: 60_000,
}, async () => {
  await workers.end(worker, 'SIGTERM')
  await gsma.set({ signs_in_by: 'token', token_calls: null })
  const { gate, tokenUrl, open } = await startTokenGate()
  const details = {
    ...{ protocol: 'gsma', paying_account: gsmaAccount, concurrency: 4, rate: 1000 },
    ...{ token_url: tokenUrl, callback_secret: gsmaSecret, ...gsmaClient },
  }
  expect((await changeAgency(portal, operator, { details: JSON.stringify(details) })).status).toBe(200)
  const frozen = workers.start()
  const id = await imported('Signing in', ending(21, 3), { transfer_agency_id: operator })
  const asked = once(gate, 'connection')
  await approve(id)
  const [socket] = await asked
  frozen.kill('SIGSTOP')
  open()
  workers.start()
  await progress(id, ({ round }) => round?.success === 3, 40_000)
  // It has left the agency when it has closed its connections.
  const left = once(socket, 'close')
  frozen.kill('SIGCONT')
  await left
  const { rows } = await portal.owner.query(
    `select p.reference from transfer_payrolls p join transfer_payroll_groups g on g.id = p.payroll_group_id
     where g.cohort_id = $1`,
    [id],
  )
  const { disbursements } = await gsma.ledger()
  const calls = rows.map(({ reference }) => disbursements.find((each) => each.reference === reference)?.calls)
  expect(calls).toEqual([1, 1, 1])
})
