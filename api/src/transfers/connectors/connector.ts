import type { Protocol } from '@portal/contracts/transfers/agencies'
import type { NameAgreement } from './holder-names.ts'

/**
 * The settings for calls to an agency. `details` has the decrypted secrets and is never logged. `callbackUrl` is where the
 * agency may report payments.
 */
export type AgencyAccess = {
  id: number
  endpoint: string
  details: Record<string, unknown>
  callbackUrl?: string
}

/** A payment order. The database derives the attempt's idempotency key and the payment's reference (Money 4.5). */
export type Instruction = {
  key: string
  reference: string
  /** E.164; null where the money goes to an account. */
  phone: string | null
  account: string | null
  bank: string | null
  name: string
  /** The whole francs that the recipient receives, without fees (Money 1.5). */
  amount: number
}

/** Whether an order may leave now. It is read right before its first byte, after a token or a connection was waited for. */
export type MayLeave = () => boolean

/** An order as the engine gives it to a connector. */
export type Order = Instruction & { mayLeave: MayLeave }

/**
 * The parts of the order that the agency repeats in its answer. An answer counts only if they agree with the order. A
 * connector omits a field that its agency never repeats, and returns `null` for one that the agency should have sent.
 */
export type Echo = {
  key?: string | null
  reference?: string | null
  amount?: number | null
  currency?: string | null
  recipient?: string | null
}

/**
 * The meaning of an agency's answer for the payment:
 * - `success`, `failed`: final;
 * - `processing`: the agency has the order; query again;
 * - `unknown`: time-out, 5xx, unreadable answer; the order may have been executed. Query again after `wait_ms`, if set;
 * - `not_sent`: certainly not executed; the same key may be sent again after `wait_ms`;
 * - `unusable`: certainly not executed, and no other order would be.
 */
export type Outcome =
  | { kind: 'success'; external_trx_id: string; agency_fees: number | null; echo: Echo }
  | { kind: 'failed'; reason: string; external_trx_id: string | null; echo: Echo }
  | { kind: 'processing'; wait_ms: number; echo: Echo }
  | { kind: 'unknown'; reason: string; wait_ms?: number }
  | { kind: 'not_sent'; reason: string; wait_ms: number }
  | { kind: 'unusable'; reason: 'unreachable' | 'credentials' | 'funds' }

/**
 * The reason of an unknown payment whose order was refused when it was sent again. A second such refusal counts. Whoever
 * makes it be queried at once takes the reason away (Money 4.6).
 */
export const refusedOnce = 'refused_when_repeated'

/** A payment that the agency reports when it is queried by reference or for its list. */
export type AgencyPayment = {
  /** Its idempotency key, or the agency's own id where the agency does not repeat keys. */
  key: string
  reference: string | null
  external_trx_id: string | null
  phone: string | null
  amount: number | null
  /** The status in the agency's words. */
  state: string
  at: string | null
  /** What the agency says about the order with this reference. */
  outcome: Outcome
}

/** One page of the agency's payments, oldest first. `next` is the cursor of the next page and null on the last one. */
export type PaymentPage = { payments: AgencyPayment[]; next: number | null }

/**
 * What kind of failure an agency's reason is, and so who can end it: a person who corrects the recipient, one who fills
 * the paying account, and so on (`failure.messages.ts` says how).
 */
export type FailureClass = 'recipient' | 'funds' | 'limit' | 'configuration' | 'duplicate' | 'transient'

/** What an agency says about the holder of a number; null is what it does not say. */
export type NameAnswer = {
  /** How the names agree. `not_told`: the agency does not say. */
  name: NameAgreement | 'not_told'
  /** The holder's name, as the agency writes or masks it. */
  holder: string | null
  /** Whether the holder's limits allow the amount. */
  within_limits: boolean | null
  /** Whether the number has an account that can receive money. */
  active: boolean | null
}

/** What a connector declares about its agency. The engine reads these facts and assumes none of them. */
export type Declaration = {
  protocol: Protocol
  /** Increases when requests or the reading of responses change. Attempts record it (Money 4.6). */
  version: number
  /** How long the agency recognises an idempotency key for certain. After that, "not found" proves nothing. */
  keyLifeHours: number
  /**
   * What "not found" allows within the life of the key. `repeat`: the order may be sent again with its key. `nothing`:
   * the agency may still have it, so that the payment stays unknown and is left to a person.
   */
  notFound: 'repeat' | 'nothing'
  /** Calls at once and orders per second, where the agency's details set nothing else. */
  calls: { concurrency: number; rate: number | null }
  /**
   * The limits of name checks, where the agency offers them: for how many days an answer counts, how many names may be
   * asked about per second, and how many of one number in five minutes.
   */
  names?: { freshDays: number; rate: number; perNumber: number }
  /** The agency's own codes for failures. A code has one class for all connectors. */
  failures: Readonly<Record<string, FailureClass>>
}

/** An agency is queried by the order's key, by the payment's reference, or by both. */
type Queries =
  | { ask: AskByKey; askReference?: AskByReference }
  /** Answers by reference do not repeat the key: `AgencyPayment.key` has the agency's own id of the payment. */
  | { ask?: undefined; askReference: AskByReference }
/** Queries the outcome of a key. `not_found`: the agency has not executed it and does not have it. */
type AskByKey = (agency: AgencyAccess, instruction: Instruction) => Promise<Outcome | { kind: 'not_found' }>
/** All payments of the agency with a reference, whatever their key. */
export type AskByReference = (agency: AgencyAccess, reference: string) => Promise<AgencyPayment[] | Outcome>

/**
 * A call by which the agency reports a payment, as it arrived: its headers, its body, and the parameters of its address.
 * `now` is in milliseconds since 1970.
 */
export type Report = {
  headers: Record<string, string | string[] | undefined>
  text: string
  query: Record<string, unknown>
  now: number
}

/**
 * Speaks the protocol of an agency (docs/connectors.md, Money 7.3). A method that is missing says that the agency cannot
 * do it.
 */
export type Connector = Declaration &
  Queries & {
    files?: undefined
    /** The paying account in the details; empty if the agency has only one. */
    account(details: Record<string, unknown>): string
    /** Sends an order for the first time, or again with the same idempotency key. */
    send(agency: AgencyAccess, order: Order): Promise<Outcome>
    /** Payments since an instant, page by page. */
    list?(agency: AgencyAccess, since: string, after: number): Promise<PaymentPage | Outcome>
    /** The whole francs in the paying account. */
    balance?(agency: AgencyAccess): Promise<number | Outcome>
    /** Compares a name with that of the number's holder. */
    verifyName?(
      agency: AgencyAccess,
      recipient: Pick<Instruction, 'phone' | 'name' | 'amount'>,
    ): Promise<NameAnswer | Outcome>
    /** Takes a payment back. `true`: the agency has done it. */
    reverse?(agency: AgencyAccess, externalTrxId: string): Promise<true | Outcome>
    /**
     * The references that a report names, or null if its signature or seal is missing, wrong or old. Reports are never believed:
     * they only say which payments to query now.
     */
    readReport?(secrets: Record<string, unknown>, report: Report): string[] | null
  }

/**
 * A bank that takes its orders as files, which people carry. The portal never calls it: no worker takes such an agency, and
 * what it answers is uploaded (`bank-files.service.ts`).
 */
export type FileConnector = Declaration & { files: true } & Pick<Connector, 'account'> & {
    [Call in keyof Omit<Connector, keyof Declaration | 'account' | 'files'>]?: undefined
  }

/** For how many hours an order that the agency does not find may be sent again with its key. */
export const repeatHours = ({ notFound, keyLifeHours }: Declaration): number =>
  notFound === 'repeat' ? keyLifeHours : 0
