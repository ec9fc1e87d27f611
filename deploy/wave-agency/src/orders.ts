import type { Order, Payout, Wallet } from './wallet.ts'

/** A response; `cut`: the connection is closed without one. */
export type Answer = { status: number; body: unknown; headers?: Record<string, string> } | 'cut'

export const ok = (body: unknown): Answer => ({ status: 200, body })
export const refuse = (status: number, code: string, headers?: Record<string, string>): Answer => ({
  status,
  body: { code, message: `The request was refused: ${code}.` },
  ...(headers && { headers }),
})

const refusals = new Map([
  ['02', 'recipient-account-inactive'],
  ['03', 'recipient-account-blocked'],
  ['04', 'recipient-limit-exceeded'],
  ['12', 'recipient-minor'],
])

/** A payout as the account holder sees it. */
export function shown({ id, amount, fee, mobile, name, status, at, client_reference, error }: Payout) {
  return {
    id,
    currency: 'XOF',
    receive_amount: String(amount),
    fee: String(fee),
    mobile,
    name,
    status,
    timestamp: at,
    client_reference,
    payout_error: error ? { error_code: error, error_message: `The payout failed: ${error}.` } : null,
  }
}

/** Reads the body of an order; null if it is not one. */
export function readOrder(body: Record<string, unknown>): Order | null {
  const { currency, receive_amount, mobile, name = null, client_reference = null } = body
  if (currency !== 'XOF' || typeof receive_amount !== 'string' || !/^[1-9]\d{0,8}$/.test(receive_amount))
    return null
  if (typeof mobile !== 'string' || !/^\+\d{8,15}$/.test(mobile)) return null
  if (name !== null && typeof name !== 'string') return null
  if (client_reference !== null && (typeof client_reference !== 'string' || client_reference.length > 255))
    return null
  return { mobile, amount: Number(receive_amount), name, client_reference }
}

const isSame = (known: Payout, order: Order) =>
  known.mobile === order.mobile &&
  known.amount === order.amount &&
  known.name === order.name &&
  known.client_reference === order.client_reference

/** Decides an order by its key, then by the last two digits of its number. It never awaits. */
export function decide(wallet: Wallet, key: string, order: Order): Answer {
  const known = wallet.payouts.get(key)
  if (known && !isSame(known, order)) return refuse(409, 'idempotency-mismatch')
  if (known && !wallet.switches.forgets_keys) {
    known.calls += 1
    wallet.write(known)
    return ok(shown(known))
  }
  const digits = wallet.switches.corrected.includes(order.mobile) ? '00' : order.mobile.slice(-2)
  const refusal = refusals.get(digits)
  if (refusal) return refuse(422, refusal)
  if (wallet.switches.failing) return refuse(500, 'internal-server-error')
  if (wallet.switches.throttled > 0) {
    wallet.switches.throttled -= 1
    return refuse(429, 'too-many-requests', { 'retry-after': '1' })
  }
  if (digits === '09' && wallet.stumbles(key)) return refuse(429, 'too-many-requests', { 'retry-after': '1' })
  if (digits === '07' && wallet.stumbles(key)) return refuse(500, 'internal-server-error')
  if (digits === '01' || !wallet.canPay(order.amount)) return refuse(422, 'insufficient-funds')
  const payout = wallet.pay(key, order, digits)
  if (payout.status === 'failed') return ok(shown(payout))
  if (digits === '08' || wallet.losesReply(key)) return 'cut'
  return ok(shown(payout))
}
