import type { Pool } from 'pg'
import { traced } from '../../kit/process/telemetry.ts'
import type { AgencyLine } from '../connectors/agency-line.ts'
import { checkPayments, newPayments, notFound, outcomeOf } from '../connectors/agency-payments.ts'
import { type CheckedQuery, checkAnswer } from '../connectors/answer-check.ts'
import {
  type AgencyPayment,
  type AskByReference,
  type Outcome,
  repeatHours,
} from '../connectors/connector.ts'
import {
  beginTenure,
  type Lease,
  LeaseLost,
  leaseSeconds,
  releaseLease,
  renewLease,
} from './agency-lease.service.ts'
import { decide } from './payment-decision.ts'
import { type Command, type Event, type Halt, newState, type State } from './payment-state.ts'
import {
  type Claimed,
  claimPayments,
  claimQuestions,
  type Line,
  notePayments,
  recordLine,
} from './payments.service.ts'
import { type Settled, settlePayments } from './settlement.service.ts'

type Work = {
  pool: Pool
  lease: Lease & { unclean: boolean }
  line: AgencyLine
  /** The agency's state in the database before the connection was opened. */
  openedWith: string
  halt(cohortId: number, reason: Halt): Promise<void>
  /** Aborted when the process should stop. */
  closing: AbortSignal
}

const heartbeatMs = 300
const flushAtMost = 500
/** Nothing is sent in this last part of a lease, because sending an order takes time. */
const marginMs = 700

/** Shows a call of the agency with what asked for its round. The span has neither ids nor numbers, as all spans. */
const ofRound = <T>(name: string, { trace }: Claimed, call: () => Promise<T>): Promise<T> =>
  traced(name, 'internal', {}, call, trace ?? undefined)

/** Serves one agency under its lease until nothing is left to do, the process stops, or the lease is lost. */
export async function payAgency(work: Work): Promise<'left' | 'lost'> {
  const loop = new Loop(work)
  try {
    await loop.run()
    return 'left'
  } catch (error) {
    // The loop waits for calls in flight. The next worker queries their payments, because the lease was not released.
    await loop.ended()
    if (error instanceof LeaseLost) return 'lost'
    throw error
  }
}

/** Executes the commands of `decide` and returns the results as events. It decides nothing itself. */
class Loop {
  readonly #work: Work
  readonly #running = new Set<Promise<unknown>>()
  readonly #found: Settled[] = []
  #state: State | null = null
  #line: Line = { id: 0, repeat_hours: 0 }
  /** Time until which orders may be sent, by a monotonic clock. */
  #sendUntil = 0
  #renewedAt = 0
  #busy = { renewing: false, writing: false }
  #failure: unknown = null
  #wake = () => {}

  constructor(work: Work) {
    this.#work = work
  }

  async run(): Promise<void> {
    await this.#begin()
    for (;;) {
      if (this.#failure) throw this.#failure
      if (this.#work.closing.aborted && this.#state?.phase === 'working') this.#feed({ kind: 'leave' })
      this.#renewWhenDue()
      this.#writeWhatWasFound()
      this.#feed({ kind: 'tick' })
      if (this.#state?.phase === 'left' && this.#running.size === 0 && this.#found.length === 0) break
      await this.#pause()
    }
    await releaseLease(this.#work.pool, this.#work.lease)
  }

  async ended(): Promise<void> {
    this.#feed({ kind: 'lost' })
    await Promise.allSettled(this.#running)
  }

  async #begin(): Promise<void> {
    const { pool, lease, line, openedWith } = this.#work
    const { connector, agency } = line
    const id = await recordLine(pool, {
      agency_id: agency.id,
      endpoint: agency.endpoint,
      account: connector.account(agency.details),
      protocol: connector.protocol,
      version: connector.version,
    })
    this.#line = { id, repeat_hours: repeatHours(connector) }
    const askFirst = await beginTenure(pool, lease, openedWith)
    const { rounds, next_question_ms } = await this.#renewal()
    const nextQuestionAt = next_question_ms === null ? null : performance.now() + next_question_ms
    this.#state = newState({ slots: line.concurrency, rate: line.rate, rounds, askFirst, nextQuestionAt })
  }

  #feed(event: { [K in Event['kind']]: Omit<Extract<Event, { kind: K }>, 'now'> }[Event['kind']]): void {
    if (!this.#state) return
    const { state, commands } = decide(this.#state, { ...event, now: performance.now() } as Event)
    this.#state = state
    for (const command of commands) this.#carryOut(command)
    if (commands.length > 0) this.#wake()
  }

  #carryOut(command: Command): void {
    const { halt } = this.#work
    switch (command.do) {
      case 'send':
        this.#start(this.#send(command.payment))
        break
      case 'ask':
        this.#start(this.#ask(command.payment))
        break
      case 'write':
        this.#found.push(command)
        break
      case 'claim':
        this.#start(this.#claim(command.group_id, command.limit))
        break
      case 'look':
        this.#start(this.#look(command.limit))
        break
      case 'halt':
        this.#start(halt(command.cohort_id, command.reason))
        break
      case 'release':
        // The loop releases the lease after all results are written.
        break
      default:
        command satisfies never
    }
  }

  async #claim(groupId: number, limit: number): Promise<void> {
    const { pool, lease } = this.#work
    const payments = await claimPayments(pool, lease, this.#line, groupId, limit)
    this.#feed({ kind: 'claimed', group_id: groupId, payments })
  }

  async #look(limit: number): Promise<void> {
    const { pool, lease } = this.#work
    this.#feed({ kind: 'found', questions: await claimQuestions(pool, lease, this.#line, limit) })
  }

  /** The lease is checked right before the first byte leaves, because a process may have been frozen until then. */
  async #send(payment: Claimed): Promise<void> {
    let withheld = false
    const mayLeave = () => {
      withheld = performance.now() >= this.#sendUntil
      return !withheld
    }
    const { connector, agency } = this.#work.line
    const send = () => connector.send(agency, { ...payment, mayLeave })
    const answer = checkAnswer(payment, await ofRound('order', payment, send))
    this.#feed(withheld ? { kind: 'withheld', payment } : { kind: 'answered', payment, ...answer })
  }

  async #ask(payment: Claimed): Promise<void> {
    const checked = await ofRound('question', payment, () => this.#query(payment))
    this.#feed({ kind: 'queried', payment, ...checked })
  }

  /** Queries by key. An order of a lost database is queried by reference, and so is every order without queries by key. */
  async #query(payment: Claimed): Promise<CheckedQuery> {
    const { connector, agency } = this.#work.line
    const byReference = async (ask: AskByReference) =>
      this.#readReferenceAnswer(payment, await ask(agency, payment.reference))
    if (!connector.ask) return byReference(connector.askReference)
    if (payment.first_asked && connector.askReference) return byReference(connector.askReference)
    const answer = await connector.ask(agency, payment)
    return answer.kind === 'not_found' ? notFound : checkAnswer(payment, answer)
  }

  async #readReferenceAnswer(payment: Claimed, answer: AgencyPayment[] | Outcome): Promise<CheckedQuery> {
    if (!Array.isArray(answer)) return checkAnswer(payment, answer)
    const { payments } = newPayments(answer, payment)
    if (payments.length === 0) return notFound
    if (!payment.first_asked) return outcomeOf(payment, payments)
    await notePayments(this.#work.pool, this.#work.lease, payment, payments)
    return checkPayments(payment, payments)
  }

  async #renewal() {
    const { pool, lease } = this.#work
    const asked = performance.now()
    const renewal = await renewLease(pool, lease)
    if (!renewal) throw new LeaseLost(`agency ${lease.agency_id} was taken over`)
    this.#renewedAt = performance.now()
    this.#sendUntil = asked + leaseSeconds * 1000 - marginMs
    return renewal
  }

  #renewWhenDue(): void {
    if (this.#busy.renewing || performance.now() < this.#renewedAt + heartbeatMs) return
    this.#busy.renewing = true
    const renew = async () => {
      const { rounds, next_question_ms, opened_with } = await this.#renewal()
      this.#feed({ kind: 'renewed', rounds, next_question_ms })
      if (opened_with !== this.#work.openedWith) this.#feed({ kind: 'leave' })
    }
    this.#start(
      renew().finally(() => {
        this.#busy.renewing = false
      }),
    )
  }

  #writeWhatWasFound(): void {
    if (this.#busy.writing || this.#found.length === 0) return
    this.#busy.writing = true
    const { pool, lease } = this.#work
    this.#start(
      settlePayments(pool, lease, this.#found.splice(0, flushAtMost)).finally(() => {
        this.#busy.writing = false
      }),
    )
  }

  /** Starts a task parallel to the loop. An error of it ends the loop. */
  #start(task: Promise<unknown>): void {
    const watched = task
      .catch((error: unknown) => {
        this.#failure ??= error
      })
      .finally(() => {
        this.#running.delete(watched)
        this.#wake()
      })
    this.#running.add(watched)
  }

  #pause(): Promise<void> {
    return new Promise((resolve) => {
      const timer = setTimeout(resolve, 50)
      this.#wake = () => {
        clearTimeout(timer)
        resolve()
      }
    })
  }
}
