import { checkAnswer } from '../../src/transfers/connectors/answer-check.ts'
import { decide } from '../../src/transfers/engine/payment-decision.ts'
import type { Halt } from '../../src/transfers/engine/payment-state.ts'
import { Random } from '../random.ts'
import { SimulatedAgency } from './agency.ts'
import { Clock } from './clock.ts'
import { judgeEnd, judgeHalt, judgeMoney, judgeNeighbours } from './judge.ts'
import { Process } from './process.ts'
import type { Fault, Schedule } from './schedule.ts'
import { Store } from './store.ts'
import { callMs, emptyTables, type Guards, isOpen, type Tables } from './tables.ts'
import { type Rules, Worker, type World } from './worker.ts'

const keyLifeMs = 60_000
const slots = 3
/** The agencies, and the agency of each cohort. The first agency has two cohorts. */
const agencyIds = [1, 2, 3]
const agencyOf = [1, 1, 2, 3]
const day = 86_400_000
/** A cohort that is uploaded at the start and approved later. */
const lateCohort = 5
/** After the last fault all agencies are honest. All payments must be settled within this time. */
const settleMs = 150_000
/** How often the simulated person acts. */
const personMs = 1_500
/** The longest time that a payment at an agency without faults may wait. */
const undisturbedMs = 20_000

export const rules: Rules = { decide, check: checkAnswer, agenciesAtOnce: 8, marginMs: 1_000, slots }

/** Runs one schedule. Returns the violations of the rules. */
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
  /** References that an agency, during a hold, said it does not know. */
  readonly #denied = new Set<string>()
  /** The approved recipient of each reference. */
  readonly #approved = new Map<string, string>()
  /** Copies of the database from the last two seconds. A standby may have one of these states. */
  #lately: Tables[] = []
  #backup: Tables
  #workersMade = 0
  /** Time of the last fault that affects all agencies, and the agencies with faults of their own. */
  #disturbedAt = 0
  #troubleAt = new Set<number>()
  /** State at the last long absence: number of movements and of releases. */
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
      this.#store.addCohort(cohort, agency, Math.max(size, 2))
      this.#store.approve(cohort, 1, size)
    })
    this.#store.tables.planned.push({ cohort: 1, n: 2, due: 5_000, size: 2 })
    // A person approves this cohort while others are being paid.
    this.#store.addCohort(lateCohort, 3, 2)
    this.#writeApprovedDown()
    this.#backup = this.#store.copy()
  }

  /** Notes outside the database what people approved. An entry may be paid to nobody else. */
  #writeApprovedDown(): void {
    for (const { reference, phone } of this.#store.tables.entries)
      if (!this.#approved.has(reference)) this.#approved.set(reference, phone)
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
    if (this.#violations.length === 0) for (const wrong of judgeEnd(this.#store)) this.#fail(wrong)
    return this.#violations
  }

  #fail = (what: string) => {
    this.#violations.push(what)
  }

  #judgeHalt = (cohort: number, reason: Halt) => {
    for (const wrong of judgeHalt(this.#scene, this.#schedule, cohort, reason)) this.#fail(wrong)
  }

  /** Starts a worker after a time, unless it was replaced meanwhile. */
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
    else if (fault.kind === 'failover') this.#failOver(fault.lag)
    else if (fault.kind === 'address') this.#moveAgency(fault.agency)
    else if (fault.kind === 'list changed') this.#changeList(fault.cohort, fault.person)
    else this.#leave(fault.ms)
  }

  /** An approver retries a cohort. With `corrected` the agency has corrected the wrong numbers before. */
  #retry(cohort: number, corrected: boolean): void {
    const agency = this.#agency(agencyOf[cohort - 1] as number)
    if (corrected)
      for (const reference of agency.wrong)
        if (reference.startsWith(`c${cohort}-`)) agency.wrong.delete(reference)
    this.#store.retryFailed(cohort)
  }

  /** A lagging standby takes over. The workers keep running. */
  #failOver(lag: number): void {
    for (const id of agencyIds) this.#troubleAt.add(id)
    this.#store.restore(this.#lately.at(-1 - lag) ?? this.#lately[0] ?? this.#backup)
    this.#lately = []
  }

  /** Changes an agency's address. Older copies are dropped: they would ask the old address. Not possible after a restore. */
  #moveAgency(id: number): void {
    if (this.#store.incarnation > 1) return
    this.#troubleAt.add(id)
    if (!this.#store.changeAddress(id)) return
    this.#backup = this.#store.copy()
    this.#lately = []
  }

  /** A person changes a number of a list, and approves the list if nobody has yet. */
  #changeList(cohort: number, person: number): void {
    this.#store.changeRow(cohort, 1, person)
    this.#store.approve(cohort, person, 2)
    if (cohort === lateCohort) this.#writeApprovedDown()
  }

  #restore(workersLive: boolean): void {
    // A hold waits for the slowest agency.
    for (const id of agencyIds) this.#troubleAt.add(id)
    if (!workersLive) for (const worker of this.#workers) worker?.process.kill()
    this.#store.restore(this.#backup)
    if (!workersLive) for (const place of [0, 1]) this.#startWorkerLater(place, 500)
  }

  /** A long absence: both workers end, and new ones start after it. */
  #leave(ms: number): void {
    for (const id of agencyIds) this.#troubleAt.add(id)
    for (const place of [0, 1]) {
      this.#workers[place]?.process.kill()
      this.#workers[place] = undefined
    }
    // Orders in flight arrive before the absence.
    this.#clock.run(this.#clock.now + callMs, () => false)
    this.#clock.now += ms
    if (ms > day) this.#away = { releases: this.#store.releases, moved: this.#moved() }
    this.#startWorker(0)
    this.#startWorker(1)
  }

  #moved(): number {
    return this.#agencies.reduce((sum, { movements }) => sum + movements.length, 0)
  }

  /** If the only faults concern single recipients, all other recipients must be paid. */
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

  /** Retries halted cohorts, asks by reference during a hold, and releases it after all answers. */
  #person(): void {
    this.#clock.after(personMs, () => {
      this.#person()
      const { hold, cohorts, entries } = this.#store.tables
      for (const cohort of cohorts) if (cohort.status === 'error') this.#store.retry(cohort.id)
      this.#store.approve(lateCohort, 3, 2)
      this.#writeApprovedDown()
      if (!hold || this.#clock.now < hold.askFrom) return
      for (const id of hold.toAsk) {
        const entry = entries.find((each) => each.id === id)
        const answer =
          entry &&
          this.#agency(entry.agency).answerReference(entry.reference, this.#store.addressOf(entry.agency))
        if (answer === undefined) continue
        if (answer.length === 0) this.#denied.add(entry?.reference ?? '')
        this.#store.noteAnswer(id, answer)
      }
      for (const id of hold.listsToRead) {
        const list = this.#agency(id).list()
        if (list) this.#store.noteList(id, list)
      }
      this.#store.release()
    })
  }

  /** Checks at regular intervals the rules that must hold at every step. */
  #auditor(): void {
    this.#clock.after(250, () => {
      this.#auditor()
      for (const wrong of judgeMoney(this.#scene, this.#approved)) this.#fail(wrong)
      if (this.#schedule.faults.some(({ kind }) => kind === 'failover'))
        this.#lately = [...this.#lately, this.#store.copy()].slice(-8)
      if (this.#clock.now - this.#disturbedAt >= undisturbedMs)
        for (const wrong of judgeNeighbours(this.#store, this.#troubleAt)) this.#fail(wrong)
      if (this.#away?.releases === this.#store.releases && this.#moved() > this.#away.moved)
        this.#fail('money moved after a long absence, and nobody was asked')
    })
  }

  #isSettled(): boolean {
    const { planned, hold, entries } = this.#store.tables
    return planned.length === 0 && hold === null && !entries.some(({ status }) => isOpen(status))
  }

  get #scene() {
    return { store: this.#store, agencies: this.#agencies, denied: this.#denied }
  }

  #agency(id: number): SimulatedAgency {
    return this.#agencies.find((agency) => agency.id === id) as SimulatedAgency
  }
}
