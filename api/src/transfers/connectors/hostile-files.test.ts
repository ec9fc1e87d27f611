import { once } from 'node:events'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { afterAll, expect, test } from 'vitest'
import { oneOf } from '../../../test/mutations/bytes.ts'
import { slippedJson } from '../../../test/mutations/json.ts'
import { Random } from '../../../test/random.ts'
import { checkPayments, storableRows } from './agency-payments.ts'
import { checkAnswer } from './answer-check.ts'
import type { AgencyPayment, Connector, Order, Outcome } from './connector.ts'
import { gsmaConnector } from './gsma.ts'
import { agencyHttp, always } from './http.ts'
import { sandboxConnector } from './sandbox.ts'
import { waveConnector } from './wave.ts'

/**
 * Answers of agencies, broken by chance. A failure names the seed; `RANDOM_SEED` and `RANDOM_RUNS` make others, and more.
 */
const seed = Number(process.env.RANDOM_SEED ?? 20_261_130)
const runs = Number(process.env.RANDOM_RUNS ?? 1)
let answer: { status: number; body: Buffer; headers: Record<string, string> } = {
  status: 200,
  body: Buffer.alloc(0),
  headers: {},
}
const server = createServer((_request, response) =>
  response.writeHead(answer.status, answer.headers).end(answer.body),
)
server.listen(0, '127.0.0.1')
await once(server, 'listening')
const http = agencyHttp({ connections: 2, timeout_ms: 5_000 })
afterAll(async () => {
  await http.close()
  server.close()
})
const agency = {
  id: 1,
  endpoint: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
  details: { api_key: 'key', paying_account: 'organisationid:7001' },
}
const order: Order = {
  key: '6d3e7d0e-9d1c-4d2a-8c3e-3b1a1f0c9d21',
  reference: 'PR-1',
  phone: '+22376123450',
  account: null,
  bank: null,
  name: 'Awa Diarra',
  amount: 10_500,
  mayLeave: always,
}

const { key, reference, phone } = order
const payout = {
  ...{ id: 'pt-1', status: 'succeeded', receive_amount: '10500', fee: '105', currency: 'XOF' },
  ...{ client_reference: reference, mobile: phone, timestamp: '2026-10-03T10:00:00Z' },
}
const transaction = {
  ...{ transactionReference: 'TX1', transactionStatus: 'completed', amount: '10500.00', currency: 'XOF' },
  ...{
    requestingOrganisationTransactionReference: reference,
    creditParty: [{ key: 'msisdn', value: phone }],
  },
  fees: [{ feeAmount: '105', feeCurrency: 'XOF' }],
}
const paid = {
  ...{ id: 'sb-1', key, reference, phone, amount: 10_500, currency: 'XOF', status: 'success', fee: 105 },
  at: '2026-10-03T10:00:00Z',
}

type Call = [
  name: string,
  connector: Connector,
  good: object,
  call: (connector: Connector) => Promise<unknown>,
]
const send = (connector: Connector) => connector.send(agency, order)
const ask = async (connector: Connector) => connector.ask?.(agency, order)
const askReference = async (connector: Connector) => connector.askReference?.(agency, reference)
const list = async (connector: Connector) => connector.list?.(agency, '2026-10-01T00:00:00Z', 7)
const [wave, gsma, sandbox] = [waveConnector(http), gsmaConnector(http), sandboxConnector(http)]
const calls: Call[] = [
  ['send', wave, payout, send],
  ['search', wave, { result: [payout, { ...payout, id: 'pt-2', status: 'failed' }] }, askReference],
  ['balance', wave, { amount: '123456', currency: 'XOF' }, async (c) => c.balance?.(agency)],
  ['name', wave, { name_match: 'MATCH', within_limits: true }, async (c) => c.verifyName?.(agency, order)],
  ['refusal', wave, { code: 'recipient-minor' }, send],
  ['send', gsma, transaction, send],
  [
    'state',
    gsma,
    { serverCorrelationId: 's', status: 'failed', error: { errorCode: 'identifierError' } },
    send,
  ],
  ['link', gsma, { link: '/transactions/TX1', ...transaction }, ask],
  ['balance', gsma, { availableBalance: '123456.00', currency: 'XOF' }, async (c) => c.balance?.(agency)],
  [
    'name',
    gsma,
    { status: 'available', name: { fullName: 'Awa Diarra' } },
    async (c) => c.verifyName?.(agency, order),
  ],
  ['refusal', gsma, { errorCategory: 'validation', errorCode: 'formatError', errorParameters: [] }, send],
  ['send', sandbox, paid, send],
  ['ask', sandbox, paid, ask],
  ['search', sandbox, { payments: [paid, { ...paid, key: 'k2', status: 'none' }] }, askReference],
  ['list', sandbox, { payments: [paid], next: 8 }, list],
]

const isText = (text: unknown, longest = 200) =>
  typeof text === 'string' && text.length <= longest && !/\p{Cc}/u.test(text) && text.isWellFormed()
const isTextOrNull = (text: unknown) => text === null || isText(text)
const isFrancs = (value: unknown) => Number.isSafeInteger(value) && Number(value) >= 0
/** A time that PostgreSQL reads. */
const isInstant = (at: unknown) =>
  at === null || (typeof at === 'string' && /^\d{4}-\d\d-\d\dT[\d:.]+Z$/.test(at) && at >= '0001')

/** Whether the outcome can be settled, and one that ends the payment agrees with the order. */
function isSettled(outcome: Outcome): boolean {
  const { outcome: checked, mismatch } = checkAnswer(order, outcome)
  const isShown = mismatch === null || (isText(mismatch.expected) && isText(mismatch.answered))
  switch (checked.kind) {
    case 'success':
      return (
        isShown &&
        isText(checked.external_trx_id) &&
        (checked.agency_fees === null || isFrancs(checked.agency_fees))
      )
    case 'failed':
      return isShown && isText(checked.reason) && isTextOrNull(checked.external_trx_id)
    case 'processing':
    case 'not_sent':
      return isShown && Number.isSafeInteger(checked.wait_ms) && checked.wait_ms >= 0
    default:
      return isShown && isText(checked.reason)
  }
}

function areStorable(payments: readonly AgencyPayment[]): boolean {
  const rows = storableRows(payments)
  checkPayments(order, payments)
  return rows.every(
    (row) =>
      [row.key, row.state].every((text) => isText(text)) &&
      [row.reference, row.external_trx_id, row.phone].every(isTextOrNull) &&
      (row.amount === null || Number.isSafeInteger(row.amount)) &&
      isInstant(row.at),
  )
}

/** Whether the engine can go on with what a connector returns. */
function isUsable(found: unknown): boolean {
  if (typeof found === 'number') return isFrancs(found)
  if (Array.isArray(found)) return areStorable(found)
  if (typeof found !== 'object' || found === null) return false
  if ('kind' in found) return found.kind === 'not_found' || isSettled(found as Outcome)
  if ('payments' in found) {
    const { payments, next } = found as { payments: AgencyPayment[]; next: number | null }
    return areStorable(payments) && (next === null || (Number.isSafeInteger(next) && next > 7))
  }
  const { name, holder, within_limits, active } = found as Record<string, unknown>
  return (
    ['match', 'near', 'different', 'not_told'].includes(String(name)) &&
    typeof name === 'string' &&
    (holder === null || (typeof holder === 'string' && holder.length <= 255)) &&
    [within_limits, active].every((one) => one === null || typeof one === 'boolean')
  )
}

test.each(calls)(
  'no broken answer to %s of an agency stops the engine or ends a payment wrongly',
  async (name, connector, good, call) => {
    const faults: string[] = []
    for (let n = 0; n < 60 * runs; n++) {
      const random = new Random(seed + n)
      const { what, bytes } = slippedJson(random, good)
      const usual =
        name === 'refusal' ? 400 : name === 'state' ? 202 : connector === gsma && name === 'send' ? 201 : 200
      const status = random.chance(0.9)
        ? usual
        : oneOf(random, [201, 202, 204, 400, 404, 409, 422, 429, 500, 503])
      const wait: Record<string, string> = random.chance(0.1)
        ? { 'retry-after': oneOf(random, ['', '-1', '1e9', 'NaN', '0.5', 'Mon', '99999999999999999999']) }
        : {}
      answer = { status, body: status === 204 ? Buffer.alloc(0) : bytes, headers: wait }
      const found = await call(connector).catch((error: Error) => String(error.stack))
      let isGood = false
      try {
        isGood = isUsable(found)
      } catch (error) {
        faults.push(`${seed + n} ${what} ${bytes.toString().slice(0, 300)}: ${error}`)
      }
      if (!isGood)
        faults.push(
          `${seed + n} ${what} ${status} ${bytes.toString().slice(0, 300)}: ${JSON.stringify(found)}`,
        )
    }
    expect(faults).toEqual([])
  },
  60_000 * runs,
)

const answering = (body: object) => {
  answer = { status: 200, body: Buffer.from(JSON.stringify(body)), headers: {} }
}

test.each(['constructor', 'toString', '__proto__', 'match', ''])(
  'an officer is not told that a name was checked if Wave says “%s” of it',
  async (name_match) => {
    answering({ name_match, within_limits: true })
    expect(await wave.verifyName?.(agency, order)).toEqual({ kind: 'unknown', reason: 'http_200' })
  },
)

test.each([7, 6, -1, 7.5, 1e300, '8', true])(
  'no list of an agency is read for ever, or stored with half a number, if its next page is %s after page 7',
  async (next) => {
    answering({ payments: [paid], next })
    expect(await list(sandbox)).toEqual({ kind: 'unknown', reason: 'answer_unreadable' })
  },
)

test.each([
  ['2026-10-03T10:00:00Z', '2026-10-03T10:00:00.000Z'],
  ['275760', null],
  ['+275760-09-13T00:00:00Z', null],
  ['-000001-01-01T00:00:00Z', null],
  ['0000-06-01T00:00:00Z', null],
  ['yesterday', null],
])(
  'a payment that an agency reports at “%s” is kept with a time that the database has, or with none',
  async (at, kept) => {
    answering({ payments: [{ ...paid, at }], next: null })
    const { payments } = (await list(sandbox)) as { payments: AgencyPayment[] }
    expect(storableRows(payments).map((row) => row.at)).toEqual([kept])
  },
)
