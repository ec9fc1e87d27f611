import type { Mismatch } from '../../src/transfers/connectors/answer-check.ts'
import { type Outcome, refusedOnce } from '../../src/transfers/connectors/connector.ts'
import type { Round as RoundView } from '../../src/transfers/engine/agency-lease.service.ts'
import type { Claimed } from '../../src/transfers/engine/payments.service.ts'
import { HoldRows } from './hold-rows.ts'
import {
  type Attempt,
  callMs,
  type Entry,
  type Guards,
  isOpen,
  type Lease,
  leaseMs,
  type Tables,
} from './tables.ts'

const day = 86_400_000

export class LeaseLost extends Error {}

/**
 * A model of the database: each call is one transaction. It follows `api/migrations` and the services of the
 * transfers; what those do in SQL is tested on PostgreSQL.
 */
export class Store extends HoldRows {
  /** The mark outside the database. */
  outside = { counter: 0, at: 0 }
  readonly #keyLifeMs: number

  constructor(tables: Tables, now: () => number, keyLifeMs: number, changes: Partial<Guards> = {}) {
    super(tables, now, changes)
    this.#keyLifeMs = keyLifeMs
  }

  copy(): Tables {
    return structuredClone(this.tables)
  }

  /** Replaces the database by an earlier copy. */
  restore(copy: Tables): void {
    this.tables = structuredClone(copy)
    this.incarnation += 1
  }

  /** Compares the marks inside and outside the database, and the clock with the last time, as workers do regularly. */
  compareMarks(): void {
    const { mark } = this.tables
    const away = this.now() - this.outside.at > day && this.guards.absenceHolds
    this.outside.at = this.now()
    const behind = mark.counter < this.outside.counter || mark.incarnation !== this.incarnation
    if (!behind && !away) return
    mark.incarnation = this.incarnation
    mark.counter = Math.max(mark.counter, this.outside.counter)
    if (!this.guards.holdAfterDiscontinuity) return
    if (this.guards.holdEndsLeases)
      for (const agency of this.tables.agencies)
        Object.assign(agency, { owner: null, fence: agency.fence + 1, leaseUntil: -1, clean: false })
    const toAsk = this.tables.entries
      .filter(({ status }) => isOpen(status) || (status === 'failed' && this.guards.holdAsksAboutFailed))
      .map(({ id }) => id)
    this.tables.hold = {
      // An order in flight has not reached the agency yet.
      askFrom: this.now() + (this.guards.holdWaitsForTheLine ? callMs : 0),
      toAsk,
      asked: toAsk,
      listsToRead: this.tables.agencies.map(({ id }) => id),
    }
  }

  mayClaim(): boolean {
    const { hold, mark } = this.tables
    if (!this.guards.holdAfterDiscontinuity) return true
    return hold === null && mark.incarnation === this.incarnation && this.now() - this.outside.at < 15_000
  }

  takeLease(owner: string): (Lease & { unclean: boolean }) | null {
    const now = this.now()
    const free = this.tables.agencies.find(
      (agency) => agency.leaseUntil < now && (!agency.clean || this.#hasWork(agency.id)),
    )
    if (!free) return null
    const unclean = !free.clean
    this.randomNames += 1
    const name = this.guards.ownerIsNewEachTime ? `${owner}-${this.randomNames}` : owner
    Object.assign(free, { owner: name, leaseUntil: now + leaseMs, fence: free.fence + 1, clean: false })
    return {
      agency: free.id,
      owner: name,
      fence: free.fence,
      address: free.address,
      openedWith: this.#openedWith(free.id),
      unclean,
    }
  }

  renewLease(lease: Lease): { rounds: RoundView[]; next_question_ms: number | null; openedWith: string } {
    this.#fenced(lease).leaseUntil = this.now() + leaseMs
    const rounds = this.tables.rounds.flatMap(({ id, cohort }) => {
      const { agency, status } = this.cohort(cohort)
      const open = this.entriesOf(id).filter((entry) => isOpen(entry.status))
      if (agency !== lease.agency || open.length === 0) return []
      const pending = open.filter((entry) => entry.status === 'pending').length
      const maySend = status === 'approved' && this.mayClaim()
      return [{ group_id: id, cohort_id: cohort, may_send: maySend, pending }]
    })
    const due = this.openAttempts(lease.agency).map(({ askAt }) => askAt)
    const next = Math.min(...due)
    return {
      rounds,
      next_question_ms: Number.isFinite(next) ? next - this.now() : null,
      openedWith: this.#openedWith(lease.agency),
    }
  }

  /** The first step of a new lease holder. Payments that the previous holder left open are queried before more are sent. */
  beginTenure(lease: Lease & { unclean: boolean }): Record<number, number> {
    this.#fenced(lease)
    const state = this.guards.adoptedIsUnknown ? 'unknown' : 'pending'
    const askFirst: Record<number, number> = {}
    for (const attempt of this.openAttempts(lease.agency)) {
      const entry = this.entry(attempt.entry)
      const adopted = attempt.state === 'sending' && attempt.askAt === Number.POSITIVE_INFINITY
      if (lease.unclean && (adopted || attempt.askedAt !== null)) {
        attempt.state = state
        entry.status = state
      }
      if (attempt.state !== 'unknown') continue
      attempt.askAt = this.now()
      if (attempt.reason === refusedOnce) attempt.reason = null
      askFirst[entry.round] = (askFirst[entry.round] ?? 0) + 1
    }
    return askFirst
  }

  releaseLease(lease: Lease): void {
    const agency = this.#fenced(lease)
    agency.leaseUntil = -1
    agency.clean = true
  }

  claim(lease: Lease, round: number, limit: number): Claimed[] {
    this.#fenced(lease)
    const cohort = this.tables.rounds.find(({ id }) => id === round)?.cohort
    // A copy that is older than the round does not have it.
    if (cohort === undefined) return []
    if (this.cohort(cohort).status !== 'approved' || !this.mayClaim()) return []
    if (lease.address !== this.addressOf(lease.agency) && this.guards.addressWaits) return []
    const pending = this.entriesOf(round).filter(({ status }) => status === 'pending')
    pending.sort((one, other) => one.setAside - other.setAside || one.id - other.id)
    const claimed: Claimed[] = []
    for (const entry of pending.slice(0, limit)) {
      const row = this.tables.known[entry.reference]
      if (row && row.status !== 'failed' && this.guards.heldReferencesAreNotSent) {
        this.noteKnown(entry, row)
        continue
      }
      entry.status = 'sending'
      const attempt = this.openAttempt(entry)
      Object.assign(attempt, {
        state: 'sending',
        tries: attempt.tries + 1,
        askAt: Number.POSITIVE_INFINITY,
        sentAt: this.now(),
        address: lease.address,
      })
      if (this.#isAskedFirst(attempt)) Object.assign(attempt, { first: 'due', askAt: this.now() })
      else claimed.push(this.#claimed(lease, attempt, entry, false))
    }
    this.tables.mark.counter += claimed.length
    this.outside.counter = Math.max(this.outside.counter, this.tables.mark.counter)
    return claimed
  }

  questions(lease: Lease, limit: number): Claimed[] {
    this.#fenced(lease)
    if (this.tables.hold && this.guards.holdAsksByReference) return []
    const due = this.openAttempts(lease.agency).filter(({ askAt }) => askAt <= this.now())
    due.sort((one, other) => one.askAt - other.askAt)
    return due.slice(0, limit).map((attempt) => {
      attempt.tries += 1
      attempt.askedAt = this.now()
      attempt.askAt = this.now() + 60_000
      return this.#claimed(lease, attempt, this.entry(attempt.entry), true)
    })
  }

  /** Records that the agency knows, by reference, a payment that had to be asked about before sending. */
  noteFound(lease: Lease, { attempt_id, key }: Claimed): void {
    this.#fenced(lease)
    const attempt = this.tables.attempts.find((each) => each.id === attempt_id && each.key === key)
    if (attempt?.first === 'due') attempt.first = 'held'
  }

  settle(
    lease: Lease,
    { attempt_id, key, n }: Claimed,
    outcome: Outcome | { kind: 'unsent' },
    mismatch: Mismatch | null,
  ): void {
    this.#fenced(lease)
    const attempt = this.tables.attempts.find(
      (each) => each.id === attempt_id && (!this.guards.settledByKey || (each.key === key && each.n === n)),
    )
    if (!attempt) return
    if (mismatch) this.except(this.entry(attempt.entry), mismatch.kind)
    this.writeOutcome(attempt, outcome)
  }

  /** Halts a cohort. A worker without the lease, or during a hold, cannot do that. */
  halt(lease: Lease, cohort: number): boolean {
    if (this.guards.haltIsFenced) {
      this.#fenced(lease)
      if (!this.mayClaim()) return false
    }
    const found = this.tables.cohorts.find(({ id }) => id === cohort)
    if (found?.status === 'approved') found.status = 'error'
    return true
  }

  /** Makes the rounds that are due, unless an earlier round is still open. */
  makeDueRounds(): void {
    if (!this.mayClaim()) return
    for (const plan of [...this.tables.planned]) {
      if (plan.due > this.now()) continue
      const before = this.tables.rounds.filter(({ cohort }) => cohort === plan.cohort)
      const blocks = before.some(({ id }) =>
        this.entriesOf(id).some(({ status }) =>
          this.guards.unknownBlocksNextRound ? isOpen(status) : status === 'pending' || status === 'sending',
        ),
      )
      if (!blocks) this.makeRound(plan)
    }
  }

  #openedWith(agency: number): string {
    const reopened = this.tables.cohorts.filter((each) => each.agency === agency).map((each) => each.reopened)
    return `${Math.max(0, ...reopened)} ${this.addressOf(agency)}`
  }

  #hasWork(agency: number): boolean {
    const toSend = this.tables.entries.some(
      ({ status, round, agency: at }) =>
        at === agency && status === 'pending' && this.cohort(this.round(round).cohort).status === 'approved',
    )
    return toSend || this.openAttempts(agency).some(({ askAt }) => askAt <= this.now())
  }

  /** Whether to ask before sending: a lost database may have sent it, and the last hold did not ask about it. */
  #isAskedFirst({ entry, first }: Attempt): boolean {
    const { askedAbout } = this.tables
    return (
      this.guards.madeLaterIsAskedFirst &&
      first === null &&
      askedAbout !== null &&
      !askedAbout.includes(entry)
    )
  }

  #claimed(lease: Lease, attempt: Attempt, entry: Entry, asked: boolean): Claimed {
    const { reference, amount, phone } = entry
    // Calls may take until their timeout, so the key must be valid for that much longer.
    const alive = this.now() - attempt.sentAt < this.#keyLifeMs - 2 * callMs
    const sameLine = attempt.address === lease.address || !this.guards.lineIsRecorded
    const refused = this.attemptsOf(entry.id).filter(({ state }) => state === 'failed')
    return {
      attempt_id: attempt.id,
      payroll_id: entry.id,
      group_id: entry.round,
      n: attempt.n,
      state: attempt.state === 'sending' ? 'sending' : 'unknown',
      asked,
      repeatable: sameLine && (alive || !this.guards.keysExpire),
      same_line: sameLine,
      reason: attempt.reason,
      first_asked: asked && attempt.first !== 'clear' ? attempt.first : null,
      refused: refused.map(({ key }) => key),
      settling: false,
      key: attempt.key,
      reference,
      amount,
      phone,
      account: null,
      bank: null,
      name: 'Awa',
      trace: null,
    }
  }

  #fenced(lease: Lease): Tables['agencies'][number] {
    const agency = this.tables.agencies.find(({ id }) => id === lease.agency)
    const isHeld =
      agency &&
      (agency.fence === lease.fence || !this.guards.fenceIsChecked) &&
      (agency.owner === lease.owner || !this.guards.ownerIsChecked)
    const isCompared = this.tables.mark.incarnation === this.incarnation || !this.guards.copyIsCompared
    if (!isHeld || !isCompared) throw new LeaseLost(`agency ${lease.agency} was taken over`)
    return agency
  }
}
