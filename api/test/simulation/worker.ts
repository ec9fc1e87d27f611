import type { checkAnswer } from '../../src/transfers/connectors/answer-check.ts'
import type { Outcome } from '../../src/transfers/connectors/connector.ts'
import type { decide } from '../../src/transfers/engine/payment-decision.ts'
import {
  type Command,
  type Event,
  type Halt,
  newState,
  type State,
} from '../../src/transfers/engine/payment-state.ts'
import type { Claimed } from '../../src/transfers/engine/payments.service.ts'
import type { Answer, SimulatedAgency } from './agency.ts'
import type { Clock } from './clock.ts'
import type { Process } from './process.ts'
import { LeaseLost, type Store } from './store.ts'
import { callMs, type Lease, leaseMs } from './tables.ts'

/** The rules of the portal that the simulation runs. A planted bug replaces one. */
export type Rules = {
  decide: typeof decide
  check: typeof checkAnswer
  /** Number of agencies that one worker serves at the same time. */
  agenciesAtOnce: number
  /** How long before the end of its lease a worker stops sending. */
  marginMs: number
  slots: number
}

type Timed<E> = E extends unknown ? Omit<E, 'now'> : never
/** A worker's connection to an agency, with its orders in flight. */
type Line = { lease: Lease; process: Process; orders: number }
export type World = {
  clock: Clock
  store: Store
  agencies: readonly SimulatedAgency[]
  rules: Rules
  /** Number of concurrent orders that an agency accepts. */
  slots: number
  /** The open connections to agencies. */
  lines: Set<Line>
  fail(what: string): void
  halted(cohort: number, reason: Halt): void
}

/** A worker process. It takes leases of agencies and executes the commands of `decide`. */
export class Worker {
  readonly process: Process
  readonly #world: World
  readonly #owner: string
  readonly #tenures = new Set<Tenure>()

  constructor(world: World, process: Process, owner: string) {
    this.#world = world
    this.process = process
    this.#owner = owner
    this.#loop()
  }

  #loop(): void {
    const { clock, store, rules } = this.#world
    this.process.call(
      clock.random.between(1, 5),
      clock.random.between(1, 5),
      () => {
        store.compareMarks()
        store.makeDueRounds()
        const lease = this.#tenures.size < rules.agenciesAtOnce ? store.takeLease(this.#owner) : null
        return { lease, at: clock.now }
      },
      ({ lease, at }) => {
        if (lease)
          this.#tenures.add(
            new Tenure(this.#world, this.process, lease, at, (done) => this.#tenures.delete(done)),
          )
        this.process.after(lease ? 10 : 1_000, () => this.#loop())
      },
    )
  }
}

/** A worker's lease of an agency. */
class Tenure {
  readonly #world: World
  readonly #process: Process
  readonly #lease: Lease
  readonly #agency: SimulatedAgency
  readonly #ended: (tenure: Tenure) => void
  #state: State | null = null
  #openedWith = ''
  #goodUntil: number
  #over = false
  readonly #line: Line

  constructor(
    world: World,
    process: Process,
    lease: Lease & { unclean: boolean },
    takenAt: number,
    ended: (tenure: Tenure) => void,
  ) {
    this.#world = world
    this.#process = process
    this.#lease = lease
    this.#agency = world.agencies.find(({ id }) => id === lease.agency) as SimulatedAgency
    this.#ended = ended
    this.#goodUntil = takenAt + leaseMs
    this.#line = { lease, process, orders: 0 }
    world.lines.add(this.#line)
    this.#database(
      (store) => ({ askFirst: store.beginTenure(lease), renewal: store.renewLease(lease) }),
      ({ askFirst, renewal }) => {
        const { rules, clock } = world
        this.#openedWith = lease.openedWith
        const nextQuestionAt = renewal.next_question_ms === null ? null : clock.now + renewal.next_question_ms
        this.#state = newState({
          slots: rules.slots,
          rate: null,
          rounds: renewal.rounds,
          askFirst,
          nextQuestionAt,
        })
        this.#renewLater()
        this.#tickLater()
        this.#take({ kind: 'tick' })
      },
    )
  }

  /** Runs a transaction. It is executed even if this process ends before the response. */
  #database<T>(write: (store: Store) => T, then: (answer: T) => void): void {
    const { clock, store } = this.#world
    const asked = clock.now
    this.#process.call<{ value: T } | 'lost'>(
      clock.random.between(1, 8),
      clock.random.between(1, 8),
      () => {
        try {
          return { value: write(store) }
        } catch (error) {
          if (error instanceof LeaseLost) return 'lost'
          throw error
        }
      },
      (reply) => {
        if (this.#over) return
        if (reply !== 'lost') return then(reply.value)
        if (asked > this.#goodUntil - leaseMs) this.#take({ kind: 'lost' })
        this.#end()
      },
    )
  }

  #renewLater(): void {
    this.#process.after(700, () => {
      if (this.#over) return
      const asked = this.#world.clock.now
      this.#database(
        (store) => {
          store.compareMarks()
          return store.renewLease(this.#lease)
        },
        ({ rounds, next_question_ms, openedWith }) => {
          this.#goodUntil = asked + leaseMs
          if (openedWith !== this.#openedWith) this.#take({ kind: 'leave' })
          this.#take({ kind: 'renewed', rounds, next_question_ms })
          this.#renewLater()
        },
      )
    })
  }

  #tickLater(): void {
    this.#process.after(300, () => {
      if (this.#over) return
      this.#take({ kind: 'tick' })
      this.#tickLater()
    })
  }

  #take(event: Timed<Event>): void {
    if (this.#over || !this.#state) return
    const { state, commands } = this.#world.rules.decide(this.#state, {
      ...event,
      now: this.#world.clock.now,
    } as Event)
    this.#state = state
    for (const command of commands) this.#carryOut(command)
    if (state.phase === 'lost') this.#end()
  }

  #carryOut(command: Command): void {
    if (command.do === 'claim') {
      const { group_id, limit } = command
      this.#database(
        (store) => store.claim(this.#lease, group_id, limit),
        (payments) => this.#take({ kind: 'claimed', group_id, payments }),
      )
    } else if (command.do === 'look') {
      this.#database(
        (store) => store.questions(this.#lease, command.limit),
        (questions) => this.#take({ kind: 'found', questions }),
      )
    } else if (command.do === 'send') this.#send(command.payment)
    else if (command.do === 'ask') this.#ask(command.payment)
    else if (command.do === 'release') {
      // Writes in progress are finished first.
      this.#process.after(20, () =>
        this.#database(
          (store) => store.releaseLease(this.#lease),
          () => this.#end(),
        ),
      )
    } else this.#write(command)
  }

  #write(command: Command & { do: 'write' | 'halt' }): void {
    const write = (store: Store) => {
      if (command.do === 'write')
        return store.settle(this.#lease, command.payment, command.outcome, command.mismatch)
      if (store.halt(this.#lease, command.cohort_id)) this.#world.halted(command.cohort_id, command.reason)
    }
    this.#database(write, () => {})
  }

  #ask(payment: Claimed): void {
    const { address } = this.#lease
    this.#call(
      () =>
        payment.first_asked
          ? this.#agency.answerFirst(payment, address)
          : this.#agency.answer(payment, address),
      (answer) => {
        const take = () => this.#take({ kind: 'queried', payment, ...this.#checked(payment, answer) })
        const isHeld =
          payment.first_asked === 'due' && answer.kind !== 'not_found' && answer.kind !== 'unknown'
        if (isHeld) this.#database((store) => store.noteFound(this.#lease, payment), take)
        else take()
      },
    )
  }

  #send(payment: Claimed): void {
    const { clock, rules, store } = this.#world
    if (clock.now > this.#goodUntil - rules.marginMs) {
      // Delayed, because `decide` is still processing the current event.
      this.#process.after(0, () => this.#take({ kind: 'withheld', payment }))
      return
    }
    if (store.incarnation === 1 && this.#holder() !== this.#lease.owner)
      this.#world.fail(`an order left agency ${this.#lease.agency} after its lease was taken over`)
    this.#call(
      () => this.#agency.receive(payment, this.#lease.address),
      (answer) => {
        const { outcome, mismatch } = this.#checked(payment, answer)
        if (outcome.kind === 'not_found') throw new Error('an order is never answered "not found"')
        this.#take({ kind: 'answered', payment, outcome, mismatch })
      },
      true,
    )
  }

  #holder(): string | null | undefined {
    return this.#world.store.tables.agencies.find(({ id }) => id === this.#lease.agency)?.owner
  }

  #checked(payment: Claimed, answer: Answer) {
    if (answer.kind === 'not_found') return { outcome: answer, mismatch: null }
    return this.#world.rules.check(payment, answer)
  }

  /** Calls the agency. Without a response before the timeout the outcome is unknown. */
  #call(there: () => Answer | null, then: (answer: Answer) => void, counts = false): void {
    const agency = this.#agency
    let answered = false
    const once = (answer: Answer) => {
      if (answered) return
      answered = true
      if (counts) this.#line.orders -= 1
      then(answer)
    }
    if (counts) {
      this.#line.orders += 1
      const { slots, lines, fail } = this.#world
      const holder = this.#holder()
      const open = [...lines].filter(({ lease, process }) => lease.owner === holder && process.runs)
      const out = open.reduce((sum, { orders }) => sum + orders, 0)
      if (out > slots) fail(`${out} orders are at agency ${agency.id}, which takes ${slots}`)
    }
    const silence: Outcome = { kind: 'unknown', reason: 'no_answer_in_time' }
    this.#process.call(agency.delay(), agency.delay(), () => there() ?? undefined, once)
    this.#process.after(callMs, () => once(silence))
  }

  #end(): void {
    if (this.#over) return
    this.#over = true
    this.#world.lines.delete(this.#line)
    this.#ended(this)
  }
}
