import { createHash, randomUUID } from 'node:crypto'
import { exportJWK, generateKeyPair, SignJWT } from 'jose'

/** Who calls, as far as a server is told. */
export type Caller = { id: number; permissions: readonly string[] }

type Call = { audience: string; method: string; path: string; body: string | null; caller: Caller }

/**
 * Signs tokens like those of a portal, with a pair of keys of this command. They are worth nothing anywhere else: the public key
 * is at this command's address alone, and is another one after each start.
 */
export async function makeSigner(issuer: string) {
  const { privateKey, publicKey } = await generateKeyPair('ES256')
  const kid = randomUUID()
  const jwk = { ...(await exportJWK(publicKey)), kid, alg: 'ES256', use: 'sig' }
  return {
    keys: { keys: [jwk] },
    sign: ({ audience, method, path, body, caller }: Call, request_id: string) =>
      new SignJWT({
        permissions: caller.permissions,
        request: { method, path, body: body && createHash('sha256').update(body).digest('base64url') },
      })
        .setProtectedHeader({ alg: 'ES256', typ: 'JWT', kid })
        .setIssuer(issuer)
        .setAudience(audience)
        .setSubject(String(caller.id))
        .setJti(request_id)
        .setIssuedAt()
        .setExpirationTime('60s')
        .sign(privateKey),
  }
}
