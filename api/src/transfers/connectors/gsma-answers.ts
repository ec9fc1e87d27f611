import type { Echo, FailureClass, Outcome } from './connector.ts'
import type { Reply } from './http.ts'

/** The codes of the GSMA Mobile Money API 1.2 that refuse an order. */
export const gsmaFailures: Readonly<Record<string, FailureClass>> = {
  identifierError: 'recipient',
  incorrectState: 'recipient',
  samePartiesError: 'recipient',
  maxBalanceExceeded: 'limit',
  dailyVolumeLimitExceeded: 'limit',
  dailyValueLimitExceeded: 'limit',
  weeklyVolumeLimitExceeded: 'limit',
  weeklyValueLimitExceeded: 'limit',
  monthlyVolumeLimitExceeded: 'limit',
  monthlyValueLimitExceeded: 'limit',
  accountMaxTotalVolumeExceeded: 'limit',
  accountMaxTotalValueExceeded: 'limit',
  lessThanTransactionMinValue: 'configuration',
  greaterThanTransactionMaxValue: 'configuration',
  requestDeclined: 'configuration',
  currencyNotSupported: 'configuration',
  formatError: 'configuration',
  lengthError: 'configuration',
  negativeValue: 'configuration',
  mandatoryValueNotSupplied: 'configuration',
  insufficientFunds: 'funds',
  duplicateRequest: 'duplicate',
  rateLimitError: 'transient',
  genericError: 'transient',
}

/** The answer has not the form of the standard, so that it says nothing. */
export const unreadable: Outcome = { kind: 'unknown', reason: 'answer_unreadable' }

/** What the refusal of a call means for its order. Only codes that the standard documents count as a refusal. */
export function readError({ status, body, retry_after_ms }: Reply): Outcome {
  const code = textOf(body?.errorCode) ?? ''
  const kind = classOf(code)
  if (status === 429 || (status === 400 && code === 'rateLimitError'))
    return { kind: 'not_sent', reason: 'too_many_requests', wait_ms: retry_after_ms ?? 1_000 }
  if (status === 401 || status === 403) return { kind: 'unusable', reason: 'credentials' }
  if (status === 400 && code === 'insufficientFunds') return { kind: 'unusable', reason: 'funds' }
  const documented = status === 400 ? kind !== undefined : status === 404 && code === 'identifierError'
  if (!documented) return { kind: 'unknown', reason: `http_${status}` }
  // The request with this correlation id was carried out before, or is under way.
  if (kind === 'duplicate') return { kind: 'unknown', reason: code }
  // The operator does not know the paying account, so no order would be executed.
  if (code === 'identifierError' && namesPayer(body?.errorParameters))
    return { kind: 'unusable', reason: 'credentials' }
  return { kind: 'failed', reason: code, external_trx_id: null, echo: {} }
}

const classOf = (code: string) => (Object.hasOwn(gsmaFailures, code) ? gsmaFailures[code] : undefined)

const namesPayer = (parameters: unknown) =>
  listOf(parameters).some(({ key }) => typeof key === 'string' && /^debitParty/i.test(key))

/** Whether the operator says that it has nothing under the address of the call. A wrong address has no such code. */
export const isNotFound = ({ status, body }: Reply) => status === 404 && body?.errorCode === 'identifierError'

/** The state of a request; `transaction` names the one to read. */
export function readState(body: Record<string, unknown>): Outcome | { transaction: string } {
  if (textOf(body.serverCorrelationId) === null) return unreadable
  switch (body.status) {
    case 'pending':
      return { kind: 'processing', wait_ms: 2_000, echo: {} }
    case 'completed': {
      const transaction = textOf(body.objectReference)
      return transaction === null ? unreadable : { transaction }
    }
    case 'failed': {
      const error = objectOf(body.error)
      const code = textOf(error?.errorCode) || 'refused'
      // This says that another request had the correlation id, and nothing about that one.
      if (classOf(code) === 'duplicate') return { kind: 'unknown', reason: code }
      return { kind: 'failed', reason: code, external_trx_id: null, echo: {} }
    }
    default:
      return unreadable
  }
}

/** The standard leaves the words of `transactionStatus` free, so that only those count that operators agree on. */
export function readTransaction(body: Record<string, unknown>): Outcome {
  const id = textOf(body.transactionReference)
  const status = textOf(body.transactionStatus)?.toLowerCase()
  if (id === null || status === undefined) return unreadable
  const reference = textOf(body.requestingOrganisationTransactionReference)
  const echo: Echo = {
    // Operators may leave our reference out. The correlation id has led here.
    ...(reference !== null && { reference }),
    amount: readFrancs(body.amount),
    currency: textOf(body.currency),
    recipient: readNumber(body.creditParty),
  }
  switch (status) {
    case 'completed': {
      const agency_fees = readFees(body.fees)
      if (agency_fees === undefined) return { kind: 'unknown', reason: 'fee_unreadable' }
      return { kind: 'success', external_trx_id: id, agency_fees, echo }
    }
    case 'pending':
    case 'accepted':
    case 'initiated':
      return { kind: 'processing', wait_ms: 2_000, echo }
    case 'failed':
      return { kind: 'failed', reason: 'refused', external_trx_id: id, echo }
    case 'reversed':
      return { kind: 'failed', reason: 'reversed', external_trx_id: id, echo }
    default:
      return unreadable
  }
}

/** The sum of the fees; null if none are named, undefined if one cannot be read. */
function readFees(fees: unknown): number | null | undefined {
  if (fees === undefined || fees === null) return null
  if (!Array.isArray(fees)) return undefined
  const amounts = listOf(fees).map(({ feeAmount, feeCurrency }) =>
    feeCurrency === 'XOF' ? readFrancs(feeAmount) : null,
  )
  if (amounts.length !== fees.length || amounts.includes(null)) return undefined
  return amounts.reduce<number>((sum, amount) => sum + (amount ?? 0), 0)
}

/** The number of a party, with its plus. */
function readNumber(party: unknown): string | null {
  const value = textOf(listOf(party).find(({ key }) => key === 'msisdn')?.value)
  return value !== null && /^\d+$/.test(value) ? `+${value}` : value
}

/** The francs that can be spent. */
export function readBalance({ availableBalance, currentBalance, currency }: Record<string, unknown>) {
  return currency === 'XOF' ? readFrancs(availableBalance ?? currentBalance) : null
}

/** The name of an account's holder; empty if the operator hides it, null if the response cannot be read. */
export function readHolder(body: Record<string, unknown>): string | null {
  const holder = objectOf(body.name)
  if (!holder) return null
  const parts = [holder.firstName, holder.middleName, holder.lastName].map(textOf).filter(Boolean)
  return (textOf(holder.fullName) || parts.join(' ')).trim().slice(0, 255)
}

/** Amounts are texts, which may have decimals. Francs have none. */
export const readFrancs = (value: unknown) =>
  typeof value === 'string' && /^\d{1,12}(\.0{1,4})?$/.test(value) ? Number(value) : null
export const textOf = (value: unknown) => (typeof value === 'string' ? value : null)
const objectOf = (value: unknown) =>
  typeof value === 'object' && value !== null ? (value as Record<string, unknown>) : null
const listOf = (value: unknown) =>
  (Array.isArray(value) ? value : []).map(objectOf).filter((each) => each !== null)
