import type { Disbursement, Order } from './account.ts'

/** A response; `cut`: the connection is closed without one. */
export type Answer = { status: number; body: unknown; headers?: Record<string, string> } | 'cut'

const categories: Readonly<Record<string, [category: string, status: number]>> = {
  identifierError: ['identification', 404],
  clientAuthorisationError: ['authorisation', 401],
  formatError: ['validation', 400],
  mandatoryValueNotSupplied: ['validation', 400],
  genericError: ['internal', 500],
}

/** An error object. Codes that are not listed break a rule of the business. */
export function errorObject(errorCode: string, parameters: Record<string, string> = {}) {
  const [errorCategory] = categories[errorCode] ?? ['businessRule']
  return {
    errorCategory,
    errorCode,
    errorDescription: `The request was refused: ${errorCode}.`,
    errorDateTime: new Date().toISOString(),
    errorParameters: Object.entries(parameters).map(([key, value]) => ({ key, value })),
  }
}

export function refuse(
  errorCode: string,
  parameters?: Record<string, string>,
  headers?: Record<string, string>,
): Answer {
  const [, status] = categories[errorCode] ?? ['businessRule', 400]
  return { status, body: errorObject(errorCode, parameters), ...(headers && { headers }) }
}

/** A transaction object. Amounts are texts, some of them with decimals. */
export function transactionObject(request: Disbursement, account: string) {
  const { transaction, reference, msisdn, amount, fee, status, at } = request
  const [key, value] = account.split(':')
  return {
    transactionReference: transaction,
    ...(reference !== null && { requestingOrganisationTransactionReference: reference }),
    creditParty: [{ key: 'msisdn', value: msisdn }],
    debitParty: [{ key, value }],
    type: 'disbursement',
    transactionStatus: status,
    amount: amount.toFixed(2),
    currency: 'XOF',
    fees: [{ feeType: 'disbursement', feeAmount: String(fee), feeCurrency: 'XOF' }],
    creationDate: at,
    modificationDate: at,
  }
}

/** The state of an asynchronous request. */
export function stateObject({ state_id, status, transaction, error, callback }: Disbursement) {
  return {
    serverCorrelationId: state_id,
    status: status === 'pending' ? 'pending' : status === 'failed' ? 'failed' : 'completed',
    notificationMethod: callback ? 'callback' : 'polling',
    ...(status !== 'pending' && !error && { objectReference: transaction }),
    ...(error && { error: errorObject(error) }),
  }
}

/** Reads the body of a disbursement; the code of what is wrong with it otherwise. */
export function readOrder(
  body: Record<string, unknown>,
  account: string,
  callback: string | null,
): Order | Answer {
  const { amount, currency, creditParty, debitParty, requestingOrganisationTransactionReference: own } = body
  if (amount === undefined || currency === undefined || !Array.isArray(creditParty))
    return refuse('mandatoryValueNotSupplied')
  if (typeof amount !== 'string' || !/^([0]|([1-9][0-9]{0,17}))([.][0-9]{0,3}[0-9])?$/.test(amount))
    return refuse('formatError', { amount: String(amount) })
  if (currency !== 'XOF') return refuse('currencyNotSupported')
  const [payer] = Array.isArray(debitParty) ? debitParty : []
  if (`${payer?.key}:${payer?.value}` !== account)
    return refuse('identifierError', { debitParty: String(payer?.value) })
  const msisdn = creditParty.find(({ key }) => key === 'msisdn')?.value
  if (typeof msisdn !== 'string' || !/^\+\d{8,15}$/.test(msisdn))
    return refuse('formatError', { creditParty: String(msisdn) })
  return { msisdn, amount: Number(amount), reference: typeof own === 'string' ? own : null, callback }
}
