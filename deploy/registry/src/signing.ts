import { createHash, randomUUID } from 'node:crypto'
import { CompactSign, compactVerify, importJWK, type JWK } from 'jose'
import type { PublisherKey } from './schemas.ts'

/** What a publisher signs. build.json has the hash of every file, so its hash covers all files. */
export type SignedBuild = { name: string; version: string; build: string; integrity: string }

/** A private key with its id in the registry. */
export type SigningKey = { id: string; jwk: JWK }

/** Subresource integrity in the form of browsers, `sha384-…` or `sha256-…`. */
export const integrityOf = (content: Buffer | string, algorithm: 'sha256' | 'sha384' = 'sha384'): string =>
  `${algorithm}-${createHash(algorithm).update(content).digest('base64')}`

/** The hash of a content by the algorithm that the expected hash names, to be compared with it. */
export const integrityLike = (expected: string, content: Buffer | string): string =>
  integrityOf(content, expected.startsWith('sha256-') ? 'sha256' : 'sha384')

async function sign(key: SigningKey, payload: unknown): Promise<string> {
  return new CompactSign(new TextEncoder().encode(JSON.stringify(payload)))
    .setProtectedHeader({ alg: 'EdDSA', kid: key.id })
    .sign(await importJWK(key.jwk, 'EdDSA'))
}

/** The key id in a signature; undefined if it is not a signature. */
export function keyIdOf(jws: string): string | undefined {
  try {
    const header = JSON.parse(Buffer.from(jws.split('.')[0] ?? '', 'base64url').toString()) as {
      kid?: unknown
    }
    return typeof header.kid === 'string' ? header.kid : undefined
  } catch {
    return undefined
  }
}

/** The signed content; null if the signature is not valid for this key. */
export async function readSigned(jws: string, key: Pick<PublisherKey, 'public'>): Promise<unknown> {
  try {
    const { payload } = await compactVerify(jws, await importJWK(key.public, 'EdDSA'), {
      algorithms: ['EdDSA'],
    })
    return JSON.parse(Buffer.from(payload).toString())
  } catch {
    return null
  }
}

/** The signature of a build: compact JWS, EdDSA, over name, version, build and integrity. */
export const signBuild = (
  key: SigningKey,
  { name, version, build, integrity }: SignedBuild,
): Promise<string> => sign(key, { name, version, build, integrity })

/** Hash of a body as a signed call carries it: sha-256, hexadecimal, of no octets when there is no body. */
export const bodyHash = (body: Buffer | string = ''): string =>
  createHash('sha256').update(body).digest('hex')

/**
 * The `Authorization` of a call that changes something: good for one method, path (without query) and body, once, and for
 * five minutes.
 */
export async function authorize(
  key: SigningKey,
  call: { method: string; path: string; body?: Buffer | string },
): Promise<string> {
  const { method, path } = call
  const iat = Math.floor(Date.now() / 1000)
  return `Portal-Key ${await sign(key, { method, path, sha256: bodyHash(call.body), iat, jti: randomUUID() })}`
}
