import * as oidc from 'openid-client'
import type { IdentityProvider } from '../kit/http/identity-providers.ts'

/** What an authorisation request was made with. The answer has to fit it. */
export type Request = { state: string; nonce: string; verifier: string; again: boolean }
/** What a provider says of the person who signed in there. `authTime` is in seconds, null if it does not say. */
export type Vouched = { email: string | null; verified: boolean; authTime: number | null }

/** The provider did not answer in time, or not as providers do. */
export class ProviderAway extends Error {}
/** The provider refused, or its answer failed a check. */
export class ProviderRefusal extends Error {}

/** When a person signs in again, the provider must have asked for her password within this many seconds. */
const againSeconds = 300
const metadataMs = 3_600_000

/**
 * Makes the address of the provider's sign-in, with what its answer must fit. Throws `ProviderAway`.
 */
export function requestAt(provider: IdentityProvider, redirect_uri: string, again: boolean) {
  return asked(provider, async () => {
    const config = await configurationOf(provider)
    const made = {
      state: oidc.randomState(),
      nonce: oidc.randomNonce(),
      verifier: oidc.randomPKCECodeVerifier(),
      again,
    }
    const address = oidc.buildAuthorizationUrl(config, {
      redirect_uri,
      scope: 'openid email',
      state: made.state,
      nonce: made.nonce,
      code_challenge: await oidc.calculatePKCECodeChallenge(made.verifier),
      code_challenge_method: 'S256',
      ...(again && { prompt: 'login', max_age: '0' }),
    })
    return { address: address.href, made }
  })
}

/**
 * Exchanges the code of an answer and returns what the provider vouches for. Throws `ProviderAway` or `ProviderRefusal`.
 * `answer` is the address that the browser was led to.
 */
export function vouchedBy(provider: IdentityProvider, answer: URL, made: Request): Promise<Vouched> {
  return asked(provider, async () => {
    const config = await configurationOf(provider)
    const tokens = await oidc.authorizationCodeGrant(config, answer, {
      expectedState: made.state,
      expectedNonce: made.nonce,
      pkceCodeVerifier: made.verifier,
      idTokenExpected: true,
      ...(made.again && { maxAge: againSeconds }),
    })
    const claims = tokens.claims()
    if (!claims) throw new ProviderRefusal('The answer has no ID token')
    // Some providers put the e-mail into the ID token, others say it only when asked.
    const about =
      'email' in claims ? claims : await oidc.fetchUserInfo(config, tokens.access_token, claims.sub)
    return {
      email: typeof about.email === 'string' ? about.email : null,
      verified: about.email_verified === true,
      authTime: typeof claims.auth_time === 'number' ? claims.auth_time : null,
    }
  })
}

type Known = { until: number; found: Promise<oidc.Configuration> }
const known = new WeakMap<IdentityProvider, Known>()

/**
 * The provider's metadata and keys, read once an hour by each process. It is only a cache: openid-client reads keys again
 * when one is missing, and a failed discovery is not kept.
 */
function configurationOf(provider: IdentityProvider): Promise<oidc.Configuration> {
  const kept = known.get(provider)
  if (kept && kept.until > performance.now()) return kept.found
  const found = discover(provider)
  known.set(provider, { until: performance.now() + metadataMs, found })
  found.catch(() => known.delete(provider))
  return found
}

async function discover(provider: IdentityProvider): Promise<oidc.Configuration> {
  const { issuer, clientId, clientSecret, longestMs } = provider
  const post = oidc.ClientSecretPost(clientSecret)
  const basic = oidc.ClientSecretBasic(clientSecret)
  const authenticate: oidc.ClientAuth = (server, ...rest) =>
    (server.token_endpoint_auth_methods_supported?.includes('client_secret_post') ? post : basic)(
      server,
      ...rest,
    )
  try {
    return await oidc.discovery(new URL(issuer), clientId, undefined, authenticate, {
      timeout: longestMs / 1000,
      execute: [
        // Signatures are checked although the token comes over TLS from the provider itself.
        oidc.enableNonRepudiationChecks,
        // The settings allow http only for a provider on this machine.
        ...(issuer.startsWith('http:') ? [oidc.allowInsecureRequests] : []),
      ],
    })
  } catch (error) {
    throw new ProviderAway('The metadata of the provider cannot be read', { cause: error })
  }
}

/** Does all calls to a provider within one limit of time, and tells a silent provider from one that refuses. */
async function asked<T>({ longestMs }: IdentityProvider, work: () => Promise<T>): Promise<T> {
  let timer: NodeJS.Timeout | undefined
  const timeout = new Promise<never>((_, reject) => {
    timer = setTimeout(() => reject(new ProviderAway('The provider did not answer in time')), longestMs)
  })
  try {
    return await Promise.race([work(), timeout])
  } catch (error) {
    if (error instanceof ProviderAway || error instanceof ProviderRefusal) throw error
    const { message } = error as Error
    if (isSilence(error)) throw new ProviderAway(message, { cause: error })
    throw new ProviderRefusal(message, { cause: error })
  } finally {
    clearTimeout(timer)
  }
}

const silent = ['OAUTH_TIMEOUT', 'OAUTH_ABORT', 'OAUTH_RESPONSE_IS_NOT_CONFORM', 'OAUTH_RESPONSE_IS_NOT_JSON']

function isSilence(error: unknown): boolean {
  if (error instanceof oidc.AuthorizationResponseError)
    return ['temporarily_unavailable', 'server_error'].includes(error.error)
  if (error instanceof oidc.ClientError) return silent.includes(error.code ?? '')
  // `fetch` reports a failed connection as a TypeError.
  return error instanceof TypeError
}
