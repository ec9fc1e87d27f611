import type { Account, Order } from './account.ts'
import { type Answer, refuse, stateObject, transactionObject } from './objects.ts'

const refusals = new Map([
  ['02', 'identifierError'],
  ['03', 'incorrectState'],
  ['04', 'dailyValueLimitExceeded'],
  ['12', 'maxBalanceExceeded'],
])

/** Decides an order by its correlation id, then by the last two digits of its number. It never awaits. */
export function decide(account: Account, name: string, key: string, order: Order): Answer {
  const { requests, switches } = account
  const known = requests.get(key)
  if (known && !switches.forgets_keys) {
    known.calls += 1
    account.write(known)
    return refuse('duplicateRequest')
  }
  const digits = order.msisdn.slice(-2)
  const refusal = refusals.get(digits)
  if (refusal) return refuse(refusal, { creditParty: order.msisdn })
  if (switches.failing) return refuse('genericError')
  if (switches.throttled > 0) {
    switches.throttled -= 1
    return refuse('rateLimitError', {}, { 'retry-after': '1' })
  }
  if (digits === '09' && account.stumbles(key)) return refuse('rateLimitError', {}, { 'retry-after': '1' })
  if (digits === '07' && account.stumbles(key)) return refuse('genericError')
  if (!account.canPay(order.amount)) return refuse('insufficientFunds')
  const request = account.accept(key, order, digits)
  if (digits === '08' || account.losesReply(key)) return 'cut'
  return digits === '20' && request.status === 'completed'
    ? { status: 201, body: transactionObject(request, name) }
    : { status: 202, body: stateObject(request) }
}
