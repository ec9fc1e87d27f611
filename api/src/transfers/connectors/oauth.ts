import type { AgencyAccess, Outcome } from './connector.ts'
import { type AgencyHttp, always, isOutcome, type Reply } from './http.ts'

type Init = Parameters<AgencyHttp['call']>[1]
/** A token in memory. `freshUntil` is on the clock that only goes forward; an older one is fetched anew. */
type Token = { value: string; freshUntil: number }
type SignIn = { token: Token | null; fetching: Promise<Token | Outcome> | null }

const unreachable: Outcome = { kind: 'unusable', reason: 'unreachable' }
const refused: Outcome = { kind: 'unusable', reason: 'credentials' }

/** For how long a token without `expires_in` counts as fresh. */
const unnamedLifeMs = 5 * 60_000

/**
 * Makes calls with a token where the agency's details have `token_url` (OAuth 2, client credentials). Tokens stay in
 * memory, one for each set of details, and are fetched once for all calls that wait. A call that is answered with 401 was
 * not carried out: it is made once more, with a new token. Signing in and both calls have the time of one call.
 */
export function signedCalls(http: AgencyHttp) {
  const signIns = new WeakMap<AgencyAccess['details'], SignIn>()

  function tokenOf(signIn: SignIn, details: AgencyAccess['details'], within_ms: number) {
    if (signIn.token && signIn.token.freshUntil > performance.now()) return signIn.token
    signIn.fetching ??= fetchToken(http, details, within_ms).then((fetched) => {
      signIn.token = isToken(fetched) ? fetched : null
      signIn.fetching = null
      return fetched
    })
    return signIn.fetching
  }

  return async function call({ details }: AgencyAccess, url: string, init: Init): Promise<Reply | Outcome> {
    if (typeof details.token_url !== 'string') return http.call(url, init)
    const signIn = signIns.get(details) ?? { token: null, fetching: null }
    signIns.set(details, signIn)
    const deadline = performance.now() + http.timeout_ms
    /** A failure before the call is an outcome too: the order has not left. */
    const attempt = async (): Promise<[Reply | Outcome, Token | null]> => {
      const token = await tokenOf(signIn, details, deadline - performance.now())
      if (!isToken(token)) return [token, null]
      const within_ms = deadline - performance.now()
      if (within_ms <= 0) return [unreachable, null]
      const headers = { ...init.headers, authorization: `Bearer ${token.value}` }
      return [await http.call(url, { ...init, headers, within_ms }), token]
    }
    const [first, used] = await attempt()
    if (!used || isOutcome(first) || first.status !== 401) return first
    // Another call may have fetched a new token meanwhile.
    if (signIn.token === used) signIn.token = null
    return (await attempt())[0]
  }
}

/** Fetches a token. Without one nothing is sent, so that no failure here leaves an order unknown. */
async function fetchToken(
  http: AgencyHttp,
  { token_url, client_id, client_secret }: AgencyAccess['details'],
  within_ms: number,
): Promise<Token | Outcome> {
  const asked = performance.now()
  const pair = [client_id, client_secret].map((part) => encodeURIComponent(String(part))).join(':')
  const reply = await http.call(String(token_url), {
    method: 'POST',
    headers: {
      authorization: `Basic ${Buffer.from(pair).toString('base64')}`,
      'content-type': 'application/x-www-form-urlencoded',
    },
    body: 'grant_type=client_credentials',
    mayLeave: always,
    within_ms,
  })
  if (isOutcome(reply) || reply.status >= 500) return unreachable
  if (reply.status === 429)
    return { kind: 'not_sent', reason: 'too_many_requests', wait_ms: reply.retry_after_ms ?? 1_000 }
  const { access_token: value, token_type, expires_in } = reply.body ?? {}
  const usable = typeof value === 'string' && /^[\w.~+/-]{1,8000}=*$/.test(value)
  if (reply.status !== 200 || !usable || String(token_type).toLowerCase() !== 'bearer') return refused
  const seconds = Number(expires_in)
  const lifeMs = Number.isFinite(seconds) && seconds > 0 ? seconds * 1_000 : unnamedLifeMs
  // Renewed before it ends, so that few calls are refused because of their token.
  return { value, freshUntil: asked + lifeMs - Math.min(60_000, lifeMs / 4) }
}

const isToken = (fetched: Token | Outcome): fetched is Token => 'value' in fetched
