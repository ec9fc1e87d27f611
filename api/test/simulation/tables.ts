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
  trx: string | null
}
export type Lease = { agency: number; owner: string; fence: number }
export type Held = {
  key: string
  id: string
  status: 'success' | 'pending' | 'failed'
  reference: string
  amount: number
}

/** The tables that matter for money, as plain data: a copy of it is a backup. */
export type Tables = {
  agencies: { id: number; owner: string | null; leaseUntil: number; fence: number; clean: boolean }[]
  cohorts: { id: number; agency: number; status: 'approved' | 'error'; reopened: number }[]
  rounds: { id: number; cohort: number; n: number }[]
  /** Rounds of the plan that were not made yet. */
  planned: { cohort: number; n: number; due: number; size: number }[]
  entries: Entry[]
  attempts: Attempt[]
  exceptions: { entry: number; kind: string }[]
  hold: { askFrom: number; toAsk: number[]; listsToRead: number[] } | null
  /** What agencies were found to hold under a reference. */
  known: Record<string, Held>
  mark: { counter: number; incarnation: number }
  lastAttempt: number
}

/** The guards of the database; a planted bug takes one away. */
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
}
export type Guards = typeof guards

export const leaseMs = 4_000
/** The longest that a call may last, a third of the real one. */
export const callMs = 10_000

export function isOpen(status: Status): boolean {
  return status === 'pending' || status === 'sending' || status === 'unknown'
}

/** What an outcome makes of an attempt, as `settlement.service.ts` writes it. */
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

/** The tables of an installation with these agencies, before anything was approved. */
export function emptyTables(agencyIds: readonly number[]): Tables {
  const agency = (id: number) => ({ id, owner: null, leaseUntil: -1, fence: 0, clean: true })
  return {
    agencies: agencyIds.map(agency),
    cohorts: [],
    rounds: [],
    planned: [],
    entries: [],
    attempts: [],
    exceptions: [],
    hold: null,
    known: {},
    mark: { counter: 0, incarnation: 1 },
    lastAttempt: 0,
  }
}
