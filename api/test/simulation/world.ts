import { checkAnswer } from '../../src/transfers/answer-check.ts'
import { decide } from '../../src/transfers/payment-decision.ts'
import type { Halt } from '../../src/transfers/payment-state.ts'
import { Random } from '../random.ts'
import { SimulatedAgency } from './agency.ts'
import { Clock } from './clock.ts'
import { earlierIsSettled, isExplained } from './judge.ts'
import { Process } from './process.ts'
import type { Fault, Schedule } from './schedule.ts'
import { Store } from './store.ts'
import { callMs, emptyTables, type Guards, isOpen, type Tables } from './tables.ts'
import { type Rules, Worker, type World } from './worker.ts'

const keyLifeMs = 60_000
const slots = 3
/** The agencies, and where each cohort is paid: the first has two cohorts. */
const agencyIds = [1, 2, 3]
const agencyOf = [1, 1, 2, 3]
const day = 86_400_000
/** After the last fault everything is honest, and this is how long all may take to be settled. */
const settleMs = 150_000
/** A person looks after what needs one. */
const personMs = 1_500
/** Nobody at an agency without trouble waits longer than this. */
const undisturbedMs = 20_000

export const rules: Rules = { decide, check: checkAnswer, agenciesAtOnce: 8, marginMs: 1_000, slots }

/** Runs one schedule; what it returns are violations, none where the rules hold. */
export function simulate(
  schedule: Schedule,
  changed: Partial<Rules> = {},
  taken: Partial<Guards> = {},
): string[] {
  return new Simulation(schedule, { ...rules, ...changed }, taken).run()
}

class Simulation {
  readonly #schedule: Schedule
  readonly #clock: Clock
  readonly #store: Store
  readonly #agencies: SimulatedAgency[]
  readonly #rules: Rules
  readonly #violations: string[] = []
  readonly #lines: World['lines'] = new Set()
  readonly #workers: (Worker | undefined)[] = []
  /** References of which an agency said under a hold that it holds nothing. */
  readonly #denied = new Set<string>()
  #backup: Tables
  #workersMade = 0
  /** When something last happened that concerns all agencies, and those that make trouble of their own. */
  #disturbedAt = 0
  #troubleAt = new Set<number>()
  /** The last long absence: what had moved, and how often sending had been released. */
  #away: { releases: number; moved: number } | null = null

  constructor(schedule: Schedule, given: Rules, taken: Partial<Guards>) {
    this.#schedule = schedule
    this.#rules = given
    this.#clock = new Clock(new Random(schedule.seed))
    this.#store = new Store(emptyTables(agencyIds), () => this.#clock.now, keyLifeMs, taken)
    const isRecorded = (id: string) => this.#store.tables.attempts.some(({ trx }) => trx === id)
    this.#agencies = agencyIds.map((id) => new SimulatedAgency(id, this.#clock, keyLifeMs, isRecorded))
    schedule.sizes.forEach((size, index) => {
      const cohort = index + 1
      const agency = agencyOf[index] as number
      this.#store.tables.cohorts.push({ id: cohort, agency, status: 'approved', reopened: 0 })
      this.#store.makeRound({ cohort, n: 1, due: 0, size })
    })
    this.#store.tables.planned.push({ cohort: 1, n: 2, due: 5_000, size: 2 })
    this.#backup = this.#store.copy()
  }

  run(): string[] {
    this.#startWorker(0)
    this.#startWorker(1)
    this.#person()
    this.#auditor()
    for (const fault of this.#schedule.faults) {
      this.#clock.run(this.#clock.now + fault.after, () => this.#violations.length > 0)
      this.#strike(fault)
    }
    this.#clock.run(this.#clock.now + 2_000, () => this.#violations.length > 0)
    this.#judgeOddRecipients()
    this.#becomeHonest()
    this.#clock.run(this.#clock.now + settleMs, () => this.#violations.length > 0 || this.#isSettled())
    if (this.#violations.length === 0) this.#judgeEnd()
    return this.#violations
  }

  #fail = (what: string) => {
    this.#violations.push(what)
  }

  /** One recipient for whom the account counts as empty is no reason to leave out the others. */
  #judgeHalt = (cohort: number, reason: Halt) => {
    const agency = this.#agency(this.#store.cohort(cohort).agency)
    // Where the account was empty for all, or a hold took the others away, a halt is right.
    const elseWrong = this.#schedule.faults.some(({ kind }) => kind !== 'odd recipient')
    if (reason !== 'funds' || elseWrong || agency.refused.size !== 1) return
    const { rounds } = this.#store.tables
    const payable = rounds
      .filter((round) => round.cohort === cohort)
      .flatMap(({ id }) => this.#store.entriesOf(id))
      .filter(({ status, reference }) => status === 'pending' && !agency.refused.has(reference))
    if (payable.length > 0) this.#fail(`cohort ${cohort} was halted for one recipient`)
  }

  /** A worker that is started later is not, where everybody has left meanwhile. */
  #startWorkerLater(place: number, ms: number): void {
    const before = this.#workers[place]
    this.#clock.after(ms, () => {
      if (this.#workers[place] === before) this.#startWorker(place)
    })
  }

  #startWorker(place: number): void {
    const world = {
      clock: this.#clock,
      store: this.#store,
      agencies: this.#agencies,
      rules: this.#rules,
      slots,
      lines: this.#lines,
      fail: this.#fail,
      halted: this.#judgeHalt,
    }
    this.#workersMade += 1
    this.#workers[place] = new Worker(world, new Process(this.#clock), `worker-${this.#workersMade}`)
  }

  #strike(fault: Fault): void {
    if (fault.kind !== 'mood' && fault.kind !== 'backup') this.#disturbedAt = this.#clock.now
    if (fault.kind === 'mood') {
      this.#troubleAt.add(fault.agency)
      this.#agency(fault.agency).mood = fault.mood
    } else if (fault.kind === 'odd recipient') {
      const agency = this.#agency(agencyOf[fault.cohort - 1] as number)
      agency[fault.how].add(`c${fault.cohort}-r1-s${fault.student}`)
      this.#troubleAt.add(agency.id)
    } else if (fault.kind === 'retry') this.#retry(fault.cohort, fault.corrected)
    else if (fault.kind === 'kill') {
      this.#workers[fault.worker]?.process.kill()
      this.#startWorkerLater(fault.worker, 2_000)
    } else if (fault.kind === 'freeze') this.#workers[fault.worker]?.process.freeze(fault.ms)
    else if (fault.kind === 'backup') this.#backup = this.#store.copy()
    else if (fault.kind === 'restore') this.#restore(fault.workersLive)
    else this.#leave(fault.ms)
  }

  /** Somebody puts the numbers of a cohort right at its agency, or does not, and an approver has them paid again. */
  #retry(cohort: number, corrected: boolean): void {
    const agency = this.#agency(agencyOf[cohort - 1] as number)
    if (corrected)
      for (const reference of agency.wrong)
        if (reference.startsWith(`c${cohort}-`)) agency.wrong.delete(reference)
    this.#store.retryFailed(cohort)
  }

  #restore(workersLive: boolean): void {
    // A hold waits for the slowest of them.
    for (const id of agencyIds) this.#troubleAt.add(id)
    if (!workersLive) for (const worker of this.#workers) worker?.process.kill()
    this.#store.restore(this.#backup)
    if (!workersLive) for (const place of [0, 1]) this.#startWorkerLater(place, 500)
  }

  /** Nobody is there for a time: both workers end, and others start after it. */
  #leave(ms: number): void {
    for (const id of agencyIds) this.#troubleAt.add(id)
    for (const place of [0, 1]) {
      this.#workers[place]?.process.kill()
      this.#workers[place] = undefined
    }
    // What was on the line arrives first.
    this.#clock.run(this.#clock.now + callMs, () => false)
    this.#clock.now += ms
    if (ms > day) this.#away = { releases: this.#store.releases, moved: this.#moved() }
    this.#startWorker(0)
    this.#startWorker(1)
  }

  #moved(): number {
    return this.#agencies.reduce((sum, { movements }) => sum + movements.length, 0)
  }

  /** Where only single recipients make trouble, everybody else of their rounds is paid meanwhile. */
  #judgeOddRecipients(): void {
    if (!this.#schedule.faults.every(({ kind }) => kind === 'odd recipient')) return
    const odd = new Set(this.#agencies.flatMap(({ refused, garbled }) => [...refused, ...garbled]))
    const first = this.#store.tables.rounds.filter(({ n }) => n === 1)
    const waiting = () =>
      first
        .flatMap(({ id }) => this.#store.entriesOf(id))
        .filter(({ status, reference }) => isOpen(status) && !odd.has(reference))
    this.#clock.run(
      this.#clock.now + undisturbedMs,
      () => this.#violations.length > 0 || waiting().length === 0,
    )
    for (const { reference } of waiting()) this.#fail(`${reference} waits for another recipient`)
  }

  #becomeHonest(): void {
    for (const agency of this.#agencies) {
      agency.mood = 'honest'
      agency.refused.clear()
      agency.garbled.clear()
    }
  }

  /** Retries what halted, asks under a hold by reference, and releases it once all was asked. */
  #person(): void {
    this.#clock.after(personMs, () => {
      this.#person()
      const { hold, cohorts, entries } = this.#store.tables
      for (const cohort of cohorts) if (cohort.status === 'error') this.#store.retry(cohort.id)
      if (!hold || this.#clock.now < hold.askFrom) return
      for (const id of hold.toAsk) {
        const entry = entries.find((each) => each.id === id)
        const held = entry && this.#agency(entry.agency).answerReference(entry.reference)
        if (held === undefined) continue
        if (held.length === 0) this.#denied.add(entry?.reference ?? '')
        this.#store.noteAnswer(id, held)
      }
      for (const id of hold.listsToRead) {
        const list = this.#agency(id).list()
        if (list) this.#store.noteList(id, list)
      }
      this.#store.release()
    })
  }

  /** Looks at what must hold at every step. */
  #auditor(): void {
    this.#clock.after(250, () => {
      this.#auditor()
      for (const agency of this.#agencies) {
        const seen = new Set<string>()
        for (const { reference } of agency.movements) {
          if (seen.has(reference)) this.#fail(`${reference} was paid twice`)
          seen.add(reference)
        }
      }
      const { entries, attempts, rounds } = this.#store.tables
      for (const entry of entries) {
        const moved = this.#agency(entry.agency).movements.find(
          ({ reference }) => reference === entry.reference,
        )
        if (entry.status === 'success' && moved?.amount !== entry.amount)
          this.#fail(
            `${entry.reference} counts as paid and ${moved ? `${moved.amount} moved` : 'nothing moved'}`,
          )
        if (entry.status === 'failed' && moved && !isExplained(this.#store, entry, this.#denied))
          this.#fail(`${entry.reference} counts as failed and was paid`)
        const open = attempts.filter((attempt) => attempt.entry === entry.id && attempt.state !== 'failed')
        if (open.length > 1) this.#fail(`${entry.reference} has two attempts`)
        if (open.some(({ state }) => state !== entry.status))
          this.#fail(`${entry.reference} and its attempt differ`)
      }
      for (const round of rounds)
        if (round.n > 1 && !earlierIsSettled(this.#store, round))
          this.#fail(`round 2 was made before round 1 was settled`)
      this.#judgeNeighbours()
      if (this.#away?.releases === this.#store.releases && this.#moved() > this.#away.moved)
        this.#fail('money moved after a long absence, and nobody was asked')
    })
  }

  /** Payments at an agency without trouble wait for nobody else's. */
  #judgeNeighbours(): void {
    if (this.#clock.now - this.#disturbedAt < undisturbedMs) return
    for (const entry of this.#openEntries())
      if (!this.#troubleAt.has(entry.agency)) this.#fail(`${entry.reference} waits, and its agency is well`)
  }

  #isSettled(): boolean {
    const { planned, hold } = this.#store.tables
    return planned.length === 0 && hold === null && this.#openEntries().length === 0
  }

  #openEntries() {
    return this.#store.tables.entries.filter(({ status }) => isOpen(status))
  }

  #judgeEnd(): void {
    const { exceptions, planned, hold } = this.#store.tables
    if (hold) this.#fail('sending is held for ever')
    const excepted = new Set(exceptions.map(({ entry }) => entry))
    const stuck = this.#openEntries().filter(({ id }) => !excepted.has(id))
    for (const { reference, status } of stuck) this.#fail(`${reference} stays ${status}`)
    if (planned.length > 0 && this.#openEntries().length === 0) this.#fail('a round that is due is not made')
  }

  #agency(id: number): SimulatedAgency {
    return this.#agencies.find((agency) => agency.id === id) as SimulatedAgency
  }
}
