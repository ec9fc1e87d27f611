import { byStrength, newPayments } from '../../src/transfers/connectors/agency-payments.ts'
import type { AgencyPayment, Instruction, Outcome } from '../../src/transfers/connectors/connector.ts'
import type { Claimed } from '../../src/transfers/engine/payments.service.ts'
import type { Clock } from './clock.ts'
import type { LedgerRow } from './tables.ts'

/** How an agency behaves for some time. An `honest` agency is also fast. */
export const moods = [
  'honest',
  'slow',
  'down',
  'loses_replies',
  'refuses_known',
  'error_unpaid',
  'error_paid',
  'forgets',
  'holds_pending',
  'throttles',
  'no_funds',
  'other_amount',
  'stale_answer',
  'repeated_id',
  'unreadable',
] as const
export type Mood = (typeof moods)[number]

/** This agency gives no list. It always answers queries by reference, because they are the only way to find a payment. */
const listless = 3

/** Money that moved. Every copy of the database computes the same reference for a payment. */
export type Movement = {
  id: string
  key: string
  reference: string
  phone: string | null
  amount: number
  at: number
}
type Order = {
  order: Instruction
  address: number
  id: string
  status: LedgerRow['status']
  since: number
  /** Until then the agency does not find it by its key, and refuses it when it is sent again. */
  hiddenUntil: number
}
export type Answer = Outcome | { kind: 'not_found' }

/** One agency of the simulation. The judge looks at its movements, not at its responses. */
export class SimulatedAgency {
  mood: Mood = 'honest'
  /** Recipients for whom it reports an empty account, and recipients whose responses are unreadable. */
  readonly refused = new Set<string>()
  readonly garbled = new Set<string>()
  /** Recipients with a wrong number. Their payments are refused until the number is corrected. */
  readonly wrong = new Set<string>()
  readonly movements: Movement[] = []
  readonly id: number
  readonly #clock: Clock
  /** Lifetime of an idempotency key. After that, the same key pays again. */
  readonly #keyLifeMs: number
  readonly #orders: Order[] = []
  /** Whether the portal has recorded a transaction. Only recorded ones are reported again for another payment. */
  readonly #isRecorded: (id: string) => boolean

  constructor(id: number, clock: Clock, keyLifeMs: number, isRecorded: (id: string) => boolean) {
    this.#isRecorded = isRecorded
    this.id = id
    this.#clock = clock
    this.#keyLifeMs = keyLifeMs
  }

  /** Latency of a call in one direction. */
  delay(): number {
    return this.#clock.random.between(2, this.mood === 'slow' ? 8_000 : 80)
  }

  /** Executes an order when it arrives. Returns `null` if no reply is sent. */
  receive(order: Instruction, address: number): Answer | null {
    if (this.mood === 'down') return null
    const known = this.#find(order.key, address)
    if (known && this.#isHidden(known)) return this.#refuseKnown(known)
    if (known) return this.#answerOf(known)
    const { mood } = this
    if (mood === 'error_unpaid') return { kind: 'unknown', reason: 'http_500' }
    if (mood === 'throttles') return { kind: 'not_sent', reason: 'too_many_requests', wait_ms: 1_000 }
    if (mood === 'no_funds' || this.refused.has(order.reference)) return { kind: 'unusable', reason: 'funds' }
    // It repeats the response for another payment, and executes nothing.
    const other = this.movements.find(({ id }) => this.#isRecorded(id))
    if (other && mood === 'stale_answer') return this.#success(order, other.id, other.reference, other.amount)
    if (other && mood === 'repeated_id') return this.#success(order, other.id, order.reference, order.amount)
    const id = `${this.id}-${this.#orders.length + 1}`
    const carried = mood === 'other_amount' ? { ...order, amount: order.amount + 1 } : order
    const status = this.wrong.has(order.reference) ? 'failed' : 'pending'
    const since = this.#clock.now
    const hiddenUntil = mood === 'refuses_known' ? since + 120_000 : 0
    const accepted: Order = { order: carried, address, id, status, since, hiddenUntil }
    this.#orders.push(accepted)
    if (status === 'pending' && mood !== 'holds_pending') this.#move(accepted)
    if (mood === 'loses_replies' || mood === 'refuses_known') return null
    if (mood === 'error_paid') return { kind: 'unknown', reason: 'http_500' }
    return this.#answerOf(accepted)
  }

  answer(order: Instruction, address: number): Answer | null {
    if (this.mood === 'down') return null
    const found = this.#find(order.key, address)
    if (!found || this.mood === 'forgets' || this.#isHidden(found)) return { kind: 'not_found' }
    return this.#answerOf(found)
  }

  #isHidden = ({ hiddenUntil }: Order) => this.#clock.now < hiddenUntil

  /** It checks limits before keys: the first order has used up the recipient's. The first one is found soon after. */
  #refuseKnown(known: Order): Outcome {
    known.hiddenUntil = Math.min(known.hiddenUntil, this.#clock.now + 3_000)
    const { key, reference, amount } = known.order
    return {
      kind: 'failed',
      reason: 'limit_exceeded',
      external_trx_id: null,
      echo: { key, reference, amount },
    }
  }

  /** All orders with a reference, whatever their key. This works after keys have expired. */
  answerReference(reference: string, address: number): LedgerRow[] | undefined {
    if (this.mood === 'down') return undefined
    if (this.mood === 'forgets' && this.id !== listless) return []
    const found = this.#orders.filter(
      (each) => each.order.reference === reference && each.address === address,
    )
    for (const order of found) this.#settle(order)
    return found.map((order) => this.#ledgerRow(order))
  }

  /** The response to a worker that asks by reference before it sends. */
  answerFirst(payment: Claimed, address: number): Answer | null {
    const rows = this.answerReference(payment.reference, address)
    if (!rows) return null
    const { payments } = newPayments(
      rows.map((each) => this.#payment(each)),
      payment,
    )
    return byStrength(payments)[0]?.outcome ?? { kind: 'not_found' }
  }

  list(): LedgerRow[] | undefined {
    if (this.mood === 'down') return undefined
    return this.id === listless ? [] : this.#orders.map((order) => this.#ledgerRow(order))
  }

  #payment({ key, id, status, reference, amount }: LedgerRow): AgencyPayment {
    const echo = { key, reference, amount }
    const outcome: Outcome =
      status === 'success'
        ? { kind: 'success', external_trx_id: id, agency_fees: null, echo }
        : status === 'failed'
          ? { kind: 'failed', reason: 'account_unknown', external_trx_id: id, echo }
          : { kind: 'processing', wait_ms: 1_000, echo }
    return { key, reference, external_trx_id: id, phone: null, amount, state: status, at: null, outcome }
  }

  #ledgerRow({ order, id, status }: Order): LedgerRow {
    const { key, reference, amount } = order
    return { key, reference, amount, id, status }
  }

  #find(key: string, address: number): Order | undefined {
    const found = this.#orders.findLast(
      (each) =>
        each.order.key === key && each.address === address && this.#clock.now - each.since <= this.#keyLifeMs,
    )
    if (found) this.#settle(found)
    return found
  }

  #settle(order: Order): void {
    if (order.status === 'pending' && this.mood !== 'holds_pending') this.#move(order)
  }

  #move(accepted: Order): void {
    const { key, reference, phone, amount } = accepted.order
    accepted.status = 'success'
    this.movements.push({ id: accepted.id, key, reference, phone, amount, at: this.#clock.now })
  }

  #answerOf({ order, id, status }: Order): Answer {
    const { reference, amount } = order
    if (status === 'pending')
      return { kind: 'processing', wait_ms: 1_000, echo: this.#echo(order, reference, amount) }
    if (status === 'failed') {
      const echo = this.#echo(order, reference, amount)
      return { kind: 'failed', reason: 'account_unknown', external_trx_id: id, echo }
    }
    if (this.mood === 'unreadable' || this.garbled.has(reference))
      return { ...this.#success(order, `${id}\u0000`, reference, amount), agency_fees: 105.5 }
    return this.#success(order, id, reference, amount)
  }

  #success(order: Instruction, id: string, reference: string, amount: number) {
    const echo = this.#echo(order, reference, amount)
    return { kind: 'success' as const, external_trx_id: id, agency_fees: 1 as number | null, echo }
  }

  #echo({ key, phone }: Instruction, reference: string, amount: number) {
    return { key, reference, amount, currency: 'XOF', recipient: phone }
  }
}
