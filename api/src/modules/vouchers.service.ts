import { createECDH, createHash } from 'node:crypto'
import { type CryptoKey, importJWK, type JWK, type KeyObject, SignJWT } from 'jose'
import type { Actor } from '../kit/http/session.ts'
import type { Context } from '../kit/process/context.ts'
import type { Key, KeyRing } from '../kit/secrets/keys.ts'

/** A server of a module may accept a voucher for this long, in seconds. Both clocks count. */
const lifetime = 60

type Keys = { kid: string; private: JWK; public: PublicKey }
type PublicKey = { kty: 'EC'; crv: 'P-256'; x: string; y: string; kid: string; alg: 'ES256'; use: 'sig' }

/** What a voucher says of the call. `path` has the query; `body` is the SHA-256 of the body in base64url, or null. */
export type VouchedCall = {
  module: string
  backend: string
  method: string
  path: string
  body: string | null
  permissions: readonly string[]
  request_id: string
}

const known = new WeakMap<Key, Keys>()

/** The pair of keys of one secret. Every process of an installation derives the same one, so there is no table of keys. */
function keysOf(key: Key): Keys {
  const made = known.get(key)
  if (made) return made
  const curve = createECDH('prime256v1')
  const secret = key.derive('vouchers for servers of modules')
  curve.setPrivateKey(secret)
  const point = curve.getPublicKey()
  const [x, y] = [point.subarray(1, 33), point.subarray(33, 65)].map((part) => part.toString('base64url'))
  const shape = { kty: 'EC', crv: 'P-256', x: x ?? '', y: y ?? '' } as const
  const keys = {
    kid: key.id,
    private: { ...shape, d: secret.toString('base64url') },
    public: { ...shape, kid: key.id, alg: 'ES256', use: 'sig' } as const,
  }
  known.set(key, keys)
  return keys
}

/** The public keys of all secrets in use, so that vouchers are accepted while a secret is being rotated. */
export const publicKeys = (secret: KeyRing): PublicKey[] =>
  [...secret.all.values()].map((key) => keysOf(key).public)

const signers = new WeakMap<Key, Promise<CryptoKey | KeyObject | Uint8Array>>()

/** A signed token (ES256) that vouches for a person and for one call of hers to a server of a module. */
export async function vouch(
  { publicUrl, secret }: Pick<Context['settings'], 'publicUrl' | 'secret'>,
  actor: Actor,
  { module, backend, permissions, request_id, ...request }: VouchedCall,
): Promise<string> {
  const key = secret.current
  const signer = signers.get(key) ?? importJWK(keysOf(key).private, 'ES256')
  signers.set(key, signer)
  return new SignJWT({ permissions, request })
    .setProtectedHeader({ alg: 'ES256', typ: 'JWT', kid: key.id })
    .setIssuer(publicUrl)
    .setAudience(`${module}/${backend}`)
    .setSubject(String(actor.id))
    .setJti(request_id)
    .setIssuedAt()
    .setExpirationTime(`${lifetime}s`)
    .sign(await signer)
}

/** The hash of a body in a voucher. */
export const hashOfBody = (body: string): string => createHash('sha256').update(body).digest('base64url')
