import type { Protocol } from '@portal/contracts/agencies'

/** What one agency needs to be spoken to; `details` with its secrets opened, never logged. */
export type AgencyAccess = { id: number; endpoint: string; details: Record<string, unknown> }

/** One payment order. `key` is the attempt's, `reference` the payment's; both are derived by the database (Money 4.5). */
export type Instruction = {
  key: string
  reference: string
  /** E.164; null where the money goes to an account. */
  phone: string | null
  account: string | null
  bank: string | null
  name: string
  /** Whole francs the recipient is to receive (Money 1.5). */
  amount: number
}

/**
 * What the agency says it is speaking of. An answer counts only where this agrees with the order; a connector leaves
 * out what its agency never repeats, and gives `null` for what the agency should have repeated and did not.
 */
export type Echo = {
  key?: string | null
  reference?: string | null
  amount?: number | null
  currency?: string | null
  recipient?: string | null
}

/**
 * What the agency's answer means for the money:
 * - `success`, `failed`: its own definite word;
 * - `processing`: it holds the order, ask again;
 * - `unknown`: time-out, 5xx, an answer that cannot be read: may or may not have been executed;
 * - `not_sent`: certain that nothing was executed, the same key may be sent again after `wait_ms`;
 * - `unusable`: certain that nothing was executed, and no other order would be either.
 */
export type Outcome =
  | { kind: 'success'; external_trx_id: string; agency_fees: number | null; echo: Echo }
  | { kind: 'failed'; reason: string; external_trx_id: string | null; echo: Echo }
  | { kind: 'processing'; wait_ms: number; echo: Echo }
  | { kind: 'unknown'; reason: string }
  | { kind: 'not_sent'; reason: string; wait_ms: number }
  | { kind: 'unusable'; reason: 'unreachable' | 'credentials' | 'funds' }

/** A payment that the agency holds, as it tells of it when it is asked by reference or for a list. */
export type HeldPayment = {
  key: string
  reference: string | null
  external_trx_id: string | null
  phone: string | null
  amount: number | null
  /** The agency's own word for where it stands. */
  state: string
  at: string | null
  /** What it says about the order of that reference. */
  outcome: Outcome
}

/** One page of the agency's payments, oldest first; `next` is asked for next, null at the end. */
export type PaymentPage = { payments: HeldPayment[]; next: number | null }

/** One agency's way of speaking. A new one is one file that implements this, and a line in `index.ts` (Money 7.3). */
export type Connector = {
  protocol: Protocol
  /** Counts up when what is sent or how it is read changes: an attempt records it (Money 4.6). */
  version: number
  /** How long the agency is certain to recognise a key again; after that "not found" proves nothing. */
  keyLifeHours: number
  /** Details that must be there, and those that are sealed. */
  requires: readonly string[]
  secrets: readonly string[]
  /** Which account of the agency's pays, as the details name it; empty where an agency has only one. */
  account(details: Record<string, unknown>): string
  /** Sends the order, or sends it again with the same key. */
  send(agency: AgencyAccess, instruction: Instruction): Promise<Outcome>
  /** Asks what became of a key; `not_found`: the agency never executed it and does not hold it. */
  ask(agency: AgencyAccess, instruction: Instruction): Promise<Outcome | { kind: 'not_found' }>
  /** Every payment it holds under a reference, whatever its key; absent where an agency cannot be asked so. */
  askReference?(agency: AgencyAccess, reference: string): Promise<HeldPayment[] | Outcome>
  /** Payments since an instant, page by page; absent where an agency gives no list. */
  list?(agency: AgencyAccess, since: string, after: number): Promise<PaymentPage | Outcome>
}
