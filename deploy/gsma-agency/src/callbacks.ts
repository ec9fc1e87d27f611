import type { Disbursement, Switches } from './account.ts'
import { errorObject, transactionObject } from './objects.ts'

/**
 * Reports a request that has ended at the address of its order, as often as the switch says: with the transaction, or
 * with the error alone. Nobody waits for it, and a lost one is not repeated.
 */
export function report(request: Disbursement, { callbacks }: Switches, account: string): void {
  if (!request.callback) return
  const body = request.error ? errorObject(request.error) : transactionObject(request, account)
  for (let n = 0; n < callbacks; n++)
    fetch(request.callback, {
      method: 'PUT',
      headers: { 'content-type': 'application/json', 'x-date': new Date().toISOString() },
      body: JSON.stringify(body),
    }).catch(() => {})
}
