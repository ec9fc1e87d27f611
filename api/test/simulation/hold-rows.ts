import { Rows } from './rows.ts'
import { type Entry, isOpen, type LedgerRow } from './tables.ts'

/** What people do in the model: ask and release during a hold, retry, correct, approve, change an agency's address. */
export class HoldRows extends Rows {
  /** Changes with every restore and promotion, like the start time and timeline of a server. */
  incarnation = 1
  /** How often a person has released a hold. */
  releases = 0

  retry(cohort: number): void {
    const found = this.cohort(cohort)
    if (found.status === 'error') Object.assign(found, { status: 'approved', reopened: this.now() })
  }

  /** Records the agency's answer about a reference during a hold. Known refusals are ignored; a new one comes first. */
  noteAnswer(entryId: number, answer: readonly LedgerRow[]): void {
    const { hold } = this.tables
    if (!hold) return
    const entry = this.tables.entries.find(({ id }) => id === entryId)
    const attempts = this.attemptsOf(entryId)
    const rows = answer.filter(
      ({ key, status, reference }) =>
        reference === entry?.reference &&
        (status !== 'failed' || !attempts.some((each) => each.key === key && each.state === 'failed')),
    )
    const open = attempts.find(({ state }) => isOpen(state))
    const refusal = rows.find(({ key, status }) => status === 'failed' && (!open || open.key === key))
    const next = refusal ?? rows.find(({ status }) => status !== 'failed') ?? rows[0]
    if (!refusal || rows.length === 1) hold.toAsk = hold.toAsk.filter((id) => id !== entryId)
    if (next && entry && entry.status !== 'success') this.noteKnown(entry, next)
  }

  noteList(agency: number, list: readonly LedgerRow[]): void {
    const { hold } = this.tables
    if (!hold) return
    hold.listsToRead = hold.listsToRead.filter((id) => id !== agency)
    for (const rows of list)
      if (rows.status !== 'failed' || !this.tables.known[rows.reference])
        this.tables.known[rows.reference] = rows
  }

  /** A person releases the hold after the agency was asked about everything. */
  release(): void {
    const { hold } = this.tables
    const done = hold?.toAsk.length === 0 && hold.listsToRead.length === 0
    if (!this.tables.hold || (!done && this.guards.holdAsksByReference)) return
    this.tables.askedAbout = this.tables.hold.asked
    this.tables.hold = null
    this.releases += 1
  }

  /** A person changes a row of a list. The database allows that only before the approval. */
  changeRow(cohort: number, student: number, person: number): void {
    const isFrozen = this.cohort(cohort).status !== 'pending' && this.guards.listIsFrozen
    const row = this.tables.list.find((each) => each.cohort === cohort && each.student === student)
    if (isFrozen || !row) return
    row.phone = `+2239${cohort}${student}`
    if (this.cohort(cohort).status === 'pending') this.tables.corrections.push({ cohort, person })
  }

  /** A person approves a list that she has not changed. Its first round is made. */
  approve(cohort: number, person: number, size: number): void {
    const found = this.cohort(cohort)
    const touched = this.tables.corrections.some((each) => each.cohort === cohort && each.person === person)
    if (found.status !== 'pending' || (touched && this.guards.authorMayNotApprove)) return
    Object.assign(found, { status: 'approved', approvedBy: person })
    this.makeRound({ cohort, n: 1, due: this.now(), size })
  }

  /** Two people change an agency's address, which must not have open outcomes. True if the address changed. */
  changeAddress(id: number): boolean {
    const agency = this.tables.agencies.find((each) => each.id === id)
    const { hold, mark } = this.tables
    const open = this.openAttempts(id).length > 0 || hold !== null || mark.incarnation !== this.incarnation
    if (!agency || (open && this.guards.addressWaits)) return false
    agency.address += 1
    return true
  }

  /** A person retries the failed payments of a cohort. Each gets a new attempt. */
  retryFailed(cohort: number): void {
    if (this.tables.hold || this.cohort(cohort).status === 'error') return
    for (const entry of this.tables.entries) {
      if (this.tables.rounds.find(({ id }) => id === entry.round)?.cohort !== cohort) continue
      const isRefused =
        entry.status === 'failed' || (entry.status === 'unknown' && !this.guards.onlyFailedIsRetried)
      if (!isRefused || (this.guards.doubtfulIsNotRetried && this.#isDoubtful(entry))) continue
      for (const attempt of this.attemptsOf(entry.id)) attempt.state = 'failed'
      Object.assign(this.insertAttempt(entry), { state: 'pending' })
      entry.status = 'pending'
    }
  }

  /** Whether a response contradicts the refusal, or the agency's list has a payment without an attempt. */
  #isDoubtful(entry: Entry): boolean {
    const shown = this.tables.known[entry.reference]
    const excepted = this.tables.exceptions.some((each) => each.entry === entry.id)
    return excepted || (shown !== undefined && shown.status !== 'failed')
  }

  /** Writes a payment that the agency knows by reference into the open attempt, or into a new one. */
  protected noteKnown(entry: Entry, rows: LedgerRow): void {
    const open = this.attemptsOf(entry.id).find(({ state }) => isOpen(state))
    const attempt = open && this.guards.holdUpdatesOpenAttempt ? open : this.insertAttempt(entry, rows.key)
    attempt.state = 'unknown'
    entry.status = 'unknown'
    // The copy may have an earlier time of sending. A payment that the agency knows is never sent again.
    if (this.guards.heldIsNotRepeatable)
      Object.assign(attempt, { sentAt: Number.NEGATIVE_INFINITY, first: 'held' })
    if (!this.guards.amountIsKept) entry.amount = rows.amount
    if (rows.amount !== entry.amount) this.except(entry, 'amount')
    else if (rows.status === 'pending') attempt.askAt = this.now()
    else if (rows.status === 'failed')
      this.writeOutcome(attempt, {
        kind: 'failed',
        reason: 'account_unknown',
        external_trx_id: rows.id,
        echo: {},
      })
    else
      this.writeOutcome(attempt, { kind: 'success', external_trx_id: rows.id, agency_fees: null, echo: {} })
  }
}
