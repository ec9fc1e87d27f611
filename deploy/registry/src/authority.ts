import * as v from 'valibot'
import { RegistryRefusal } from './refusals.ts'
import type { PortalRegistry } from './registry.ts'
import type { PublisherKey } from './schemas.ts'
import { bodyHash, keyIdOf, readSigned } from './signing.ts'

const Signed = v.object({
  method: v.string(),
  path: v.string(),
  sha256: v.string(),
  iat: v.number(),
  jti: v.pipe(v.string(), v.regex(/^[\w-]{8,60}$/)),
})

/** How long a signature is valid, in seconds. Clocks may differ by as much. */
const window = 300

const unsigned = (message: string) => new RegistryRefusal(401, message)

/** A call before its body is read. */
export type Arriving = { method: string; path: string; authorization: string | undefined }

/** The signer of a call, if its body matches the signature. */
export type Claim = { key: PublisherKey; sha256: string; iat: number; jti: string }

/** Finds the key that signed a call, before the body is read. Throws for a key that is unknown, retired or revoked. */
export async function claimOf(
  { keys, revocations }: PortalRegistry,
  { method, path, authorization }: Arriving,
): Promise<Claim> {
  const jws = /^Portal-Key (\S+)$/.exec(authorization ?? '')?.[1]
  if (!jws)
    throw unsigned(
      'This call has to be signed: Authorization: Portal-Key <JWS>; portal-module does it with --key.',
    )
  const id = keyIdOf(jws)
  const key = id === undefined ? null : await keys.read(id)
  if (!key) {
    throw unsigned(
      `The registry does not know the key ${id ?? '(none)'}: ask the portal's operator to add its public half (npm run registry -- key:add).`,
    )
  }
  if (key.retired || (await revocations.key(key.id)))
    throw unsigned(`The key ${key.id} was taken back: ask the portal's operator to add another.`)
  const signed = v.safeParse(Signed, await readSigned(jws, key))
  if (!signed.success)
    throw unsigned(`The signature is not that of the key ${key.id}: sign with its private half.`)
  const { iat, jti, sha256, ...signedCall } = signed.output
  if (signedCall.method !== method || signedCall.path !== path) throw otherCall()
  if (Math.abs(Date.now() / 1000 - iat) > window) {
    throw unsigned(
      `The signature is of ${new Date(iat * 1000).toISOString()}, too long ago or ahead: is the clock right?`,
    )
  }
  return { key, sha256, iat, jti }
}

const otherCall = () =>
  unsigned('What was signed is not this call (method, path or body): sign each call for itself.')

/** Checks the body of a call and returns its key. Throws if the body differs or the call is a replay. */
export async function authorityOf(
  { store }: PortalRegistry,
  { key, sha256, iat, jti }: Claim,
  body: Buffer,
): Promise<PublisherKey> {
  if (sha256 !== bodyHash(body)) throw otherCall()
  // Used ids are kept in one folder per five minutes of signing time, so that expired ones are removed with their folder.
  const age = Math.floor(iat / window)
  if (!(await store.create(`requests/${age}/${jti}.json`, '{}')))
    throw unsigned('This call has been made already: sign it again to repeat it.')
  if (jti.charCodeAt(0) % 16 === 0) await forgetBefore(store, Math.floor(Date.now() / 1000 / window) - 2)
  return key
}

async function forgetBefore(store: PortalRegistry['store'], age: number) {
  const ages = new Set((await store.list('requests')).map((key) => Number(key.split('/')[1])))
  for (const each of ages) if (each < age) await store.remove(`requests/${each}`)
}
