import type { Outcome } from '../../src/transfers/connectors/connector.ts'

export type Status = 'pending' | 'sending' | 'unknown' | 'success' | 'failed'
export type Entry = {
  id: number
  round: number
  agency: number
  reference: string
  amount: number
  phone: string
  status: Status
  setAside: number
}
export type Attempt = {
  id: number
  n: number
  entry: number
  agency: number
  key: string
  state: Status
  reason: string | null
  tries: number
  askAt: number
  askedAt: number | null
  sentAt: number
  /** The address it was sent to, and whether the agency is asked by reference before sending. */
  address: number
  first: 'due' | 'clear' | 'held' | null
  trx: string | null
}
/** `address` is the address that the lease holder is connected to. */
export type Lease = { agency: number; owner: string; fence: number; address: number; openedWith: string }
export type LedgerRow = {
  key: string
  id: string
  status: 'success' | 'pending' | 'failed'
  reference: string
  amount: number
}

export type Cohort = {
  id: number
  agency: number
  status: 'pending' | 'approved' | 'error'
  approvedBy: number | null
  reopened: number
}

/** The tables that matter for money, as plain data. A copy is a backup. */
export type Tables = {
  agencies: {
    id: number
    owner: string | null
    leaseUntil: number
    fence: number
    clean: boolean
    address: number
  }[]
  cohorts: Cohort[]
  /** The master lists, and who corrected them before the approval. */
  list: { cohort: number; student: number; phone: string; amount: number }[]
  corrections: { cohort: number; person: number }[]
  rounds: { id: number; cohort: number; n: number; expected: number }[]
  /** Planned rounds that are not made yet. */
  planned: { cohort: number; n: number; due: number; size: number }[]
  entries: Entry[]
  attempts: Attempt[]
  exceptions: { entry: number; kind: string }[]
  hold: { askFrom: number; toAsk: number[]; asked: number[]; listsToRead: number[] } | null
  /** Payments that agencies reported, by reference. */
  known: Record<string, LedgerRow>
  /** What the last hold asked about; null without a hold. */
  askedAbout: number[] | null
  mark: { counter: number; incarnation: number }
  lastAttempt: number
}

/** The guards of the database. A planted bug removes one. */
export const guards = {
  keysAreDerived: true,
  oneOpenAttempt: true,
  finalIsFinal: true,
  fenceIsChecked: true,
  ownerIsChecked: true,
  copyIsCompared: true,
  settledByKey: true,
  oneTransactionOnce: true,
  holdAfterDiscontinuity: true,
  holdAsksByReference: true,
  holdUpdatesOpenAttempt: true,
  heldReferencesAreNotSent: true,
  adoptedIsUnknown: true,
  unknownBlocksNextRound: true,
  keysExpire: true,
  absenceHolds: true,
  heldIsNotRepeatable: true,
  ownerIsNewEachTime: true,
  holdEndsLeases: true,
  holdWaitsForTheLine: true,
  onlyFailedIsRetried: true,
  doubtfulIsNotRetried: true,
  holdAsksAboutFailed: true,
  madeLaterIsAskedFirst: true,
  haltIsFenced: true,
  amountIsKept: true,
  lineIsRecorded: true,
  addressWaits: true,
  listIsFrozen: true,
  authorMayNotApprove: true,
}
export type Guards = typeof guards

export const leaseMs = 4_000
/** Timeout of a call, a third of the real one. */
export const callMs = 10_000

export function isOpen(status: Status): boolean {
  return status === 'pending' || status === 'sending' || status === 'unknown'
}

/** The new state of an attempt after an outcome, as in `settlement.service.ts`. */
export function stateOf(outcome: Outcome | { kind: 'unsent' }): Status {
  switch (outcome.kind) {
    case 'success':
    case 'failed':
    case 'unknown':
      return outcome.kind
    case 'processing':
    case 'not_sent':
      return 'sending'
    case 'unusable':
    case 'unsent':
      return 'pending'
  }
}

/** The tables of an installation with these agencies, before the first approval. */
export function emptyTables(agencyIds: readonly number[]): Tables {
  const agency = (id: number) => ({ id, owner: null, leaseUntil: -1, fence: 0, clean: true, address: 1 })
  return {
    agencies: agencyIds.map(agency),
    cohorts: [],
    list: [],
    corrections: [],
    rounds: [],
    planned: [],
    entries: [],
    attempts: [],
    exceptions: [],
    hold: null,
    known: {},
    askedAbout: null,
    mark: { counter: 0, incarnation: 1 },
    lastAttempt: 0,
  }
}
