import type { Outcome } from '../../src/transfers/connectors/connector.ts'
import { type Attempt, type Entry, type Guards, guards, isOpen, stateOf, type Tables } from './tables.ts'

/** The rows of the model, and how outcomes are written into them with the guards of the database. */
export class Rows {
  tables: Tables
  readonly guards: Guards
  protected readonly now: () => number
  /** Is not reset by a restore, because random values never repeat. */
  protected randomNames = 0

  constructor(tables: Tables, now: () => number, changes: Partial<Guards>) {
    this.tables = tables
    this.now = now
    this.guards = { ...guards, ...changes }
  }

  /** Adds an uploaded cohort that nobody has approved yet. */
  addCohort(id: number, agency: number, size: number): void {
    this.tables.cohorts.push({ id, agency, status: 'pending', approvedBy: null, reopened: 0 })
    for (let student = 1; student <= size; student++)
      this.tables.list.push({
        cohort: id,
        student,
        phone: `+2237${id}${student}`,
        amount: 1_000 * id + student,
      })
  }

  makeRound(plan: Tables['planned'][number]): void {
    const { tables } = this
    tables.planned = tables.planned.filter((each) => each !== plan)
    const id = tables.rounds.length + 1
    const rows = tables.list.filter(({ cohort }) => cohort === plan.cohort).slice(0, plan.size)
    const expected = rows.reduce((sum, { amount }) => sum + amount, 0)
    tables.rounds.push({ id, cohort: plan.cohort, n: plan.n, expected })
    // The reference is computed from the approved list.
    const corrected = tables.corrections.filter(({ cohort }) => cohort === plan.cohort).length
    const name = `c${plan.cohort}${corrected ? `-v${corrected}` : ''}`
    for (const { student, phone, amount } of rows) {
      tables.entries.push({
        id: tables.entries.length + 1,
        round: id,
        agency: this.cohort(plan.cohort).agency,
        reference: `${name}-r${plan.n}-s${student}`,
        amount,
        phone,
        status: 'pending',
        setAside: 0,
      })
    }
  }

  entriesOf(round: number): Entry[] {
    return this.tables.entries.filter((entry) => entry.round === round)
  }

  attemptsOf(entry: number): Attempt[] {
    return this.tables.attempts.filter((attempt) => attempt.entry === entry)
  }

  addressOf(agency: number): number {
    return this.tables.agencies.find(({ id }) => id === agency)?.address ?? 0
  }

  cohort(id: number): Tables['cohorts'][number] {
    return this.tables.cohorts.find((cohort) => cohort.id === id) as Tables['cohorts'][number]
  }

  entry(id: number): Entry {
    return this.tables.entries.find((entry) => entry.id === id) as Entry
  }

  protected round(id: number): Tables['rounds'][number] {
    return this.tables.rounds.find((round) => round.id === id) as Tables['rounds'][number]
  }

  protected openAttempts(agency: number): Attempt[] {
    return this.tables.attempts.filter(
      (attempt) => attempt.agency === agency && (attempt.state === 'sending' || attempt.state === 'unknown'),
    )
  }

  protected writeOutcome(attempt: Attempt, outcome: Outcome | { kind: 'unsent' }): void {
    const entry = this.entry(attempt.entry)
    const state = stateOf(outcome)
    if (!isOpen(attempt.state) && this.guards.finalIsFinal) {
      if (!isOpen(state) && state !== attempt.state) this.except(entry, 'contradiction')
      return
    }
    if (attempt.state === 'pending') return
    const trx = outcome.kind === 'success' ? outcome.external_trx_id : null
    const taken = trx !== null && this.tables.attempts.some((each) => each !== attempt && each.trx === trx)
    const isTaken = taken && this.guards.oneTransactionOnce
    if (isTaken) this.except(entry, 'transaction')
    attempt.state = isTaken ? 'unknown' : state
    attempt.reason = 'reason' in outcome ? outcome.reason : null
    attempt.trx = isTaken ? attempt.trx : (trx ?? attempt.trx)
    attempt.askedAt = null
    if (outcome.kind === 'unsent' && attempt.first === 'due') attempt.first = 'clear'
    const nextAsk = this.now() + Math.min(30_000, 500 * 2 ** Math.min(attempt.tries, 10))
    attempt.askAt = attempt.state === 'unknown' ? nextAsk : Number.POSITIVE_INFINITY
    if ('wait_ms' in outcome && outcome.wait_ms !== undefined) attempt.askAt = this.now() + outcome.wait_ms
    entry.status = attempt.state
    if (outcome.kind === 'unusable' && outcome.reason === 'funds') entry.setAside += 1
  }

  protected except(entry: Entry, kind: string): void {
    const known = this.tables.exceptions.some((each) => each.entry === entry.id && each.kind === kind)
    if (!known) this.tables.exceptions.push({ entry: entry.id, kind })
  }

  protected openAttempt(entry: Entry): Attempt {
    const open = this.attemptsOf(entry.id).find(({ state }) => state !== 'failed')
    return open && this.guards.oneOpenAttempt ? open : this.insertAttempt(entry)
  }

  protected insertAttempt(entry: Entry, key?: string): Attempt {
    const n = this.attemptsOf(entry.id).length + 1
    this.randomNames += 1
    const own = this.guards.keysAreDerived ? `${entry.reference}#${n}` : `random-${this.randomNames}`
    const attempt: Attempt = {
      id: ++this.tables.lastAttempt,
      n,
      entry: entry.id,
      agency: entry.agency,
      key: key ?? own,
      state: 'sending',
      reason: null,
      tries: 0,
      askAt: Number.POSITIVE_INFINITY,
      askedAt: null,
      sentAt: this.now(),
      address: this.addressOf(entry.agency),
      first: null,
      trx: null,
    }
    this.tables.attempts.push(attempt)
    return attempt
  }
}
