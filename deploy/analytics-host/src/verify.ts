import { errors, jwtVerify } from 'jose'

/** A token is refused with this reason. The number is the HTTP status. */
export class Refusal extends Error {
  readonly status: number

  constructor(status: number, sentence: string) {
    super(sentence)
    this.status = status
  }
}

/** The content of a valid token. */
export type Asked = { dashboard: string; locale: 'en' | 'fr' }

/**
 * The checks of Metabase's static embedding: HS256 with the secret that the portal shares, an expiry that lies ahead (and not
 * further than an hour), and a resource that names the dashboard.
 */
export async function verify(token: string, secret: string, dashboard: string): Promise<Asked> {
  const { resource, params, exp } = await claimsOf(token, secret)
  if (typeof exp !== 'number') throw new Refusal(400, 'The token does not say when it expires.')
  if (exp > Date.now() / 1000 + 3600) throw new Refusal(400, 'The token lives longer than an hour.')
  const named = isRecord(resource) ? resource.dashboard : undefined
  if (named === undefined) throw new Refusal(400, 'The token names no dashboard.')
  if (String(named) !== dashboard) throw new Refusal(404, 'There is no such dashboard.')
  return { dashboard, locale: isRecord(params) && params.locale === 'fr' ? 'fr' : 'en' }
}

async function claimsOf(token: string, secret: string) {
  try {
    const { payload } = await jwtVerify(token, new TextEncoder().encode(secret), { algorithms: ['HS256'] })
    return payload
  } catch (error) {
    if (error instanceof errors.JWTExpired) throw new Refusal(403, 'The token has expired.')
    if (error instanceof errors.JWSSignatureVerificationFailed)
      throw new Refusal(403, 'The signature of the token is not right.')
    if (error instanceof errors.JOSEAlgNotAllowed)
      throw new Refusal(400, 'The token is not signed with HS256.')
    throw new Refusal(400, 'This is no token.')
  }
}

const isRecord = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null && !Array.isArray(value)
