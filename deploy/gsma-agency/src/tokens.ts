import { randomBytes } from 'node:crypto'
import type { IncomingMessage } from 'node:http'

export type TokenSwitches = {
  /** What calls need: the API key, or a token. */
  signs_in_by: 'key' | 'token'
  /** How long a token lives, and after how many calls it is revoked. */
  token_seconds: number
  /** How long a token is said to live; null: as long as it lives. */
  token_told_seconds: number | null
  token_calls: number | null
  /** Every request for a token gets 503. */
  tokens_failing: boolean
}
type Answer = { status: number; body: unknown; headers?: Record<string, string> }

/** The tokens that were given out (OAuth 2, client credentials). They are in memory: a restart revokes them all. */
export class Tokens {
  readonly #given = new Map<string, { until: number; calls: number }>()
  /** How often a token was asked for, and how often one was given. */
  asked = 0
  given = 0

  /** Answers `POST /oauth/token` with the client's identifier and secret as user and password. */
  answer(
    { headers, method }: IncomingMessage,
    body: string,
    client: string,
    switches: TokenSwitches,
  ): Answer {
    this.asked += 1
    if (switches.tokens_failing) return { status: 503, body: { error: 'temporarily_unavailable' } }
    if (method !== 'POST' || new URLSearchParams(body).get('grant_type') !== 'client_credentials')
      return { status: 400, body: { error: 'unsupported_grant_type' } }
    const [user, password] = Buffer.from(String(headers.authorization).replace(/^Basic /, ''), 'base64')
      .toString()
      .split(':')
      .map(decodeURIComponent)
    if (`${user}:${password}` !== client)
      return {
        status: 401,
        body: { error: 'invalid_client' },
        headers: { 'www-authenticate': 'Basic realm="tokens"' },
      }
    const access_token = randomBytes(24).toString('base64url')
    this.#given.set(access_token, { until: Date.now() + switches.token_seconds * 1_000, calls: 0 })
    this.given += 1
    return {
      status: 200,
      body: {
        access_token,
        token_type: 'Bearer',
        expires_in: switches.token_told_seconds ?? switches.token_seconds,
      },
      headers: { 'cache-control': 'no-store' },
    }
  }

  /** Whether a call has a token that is not over. Each call counts, and a token is revoked after so many. */
  admits({ headers }: IncomingMessage, { token_calls }: TokenSwitches): boolean {
    const token = this.#given.get(String(headers.authorization).replace(/^Bearer /, ''))
    if (!token || token.until <= Date.now()) return false
    token.calls += 1
    return token_calls === null || token.calls <= token_calls
  }
}
