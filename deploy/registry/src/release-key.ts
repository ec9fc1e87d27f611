import { createHash, generateKeyPairSync } from 'node:crypto'
import { chmodSync, existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { dirname } from 'node:path'
import * as v from 'valibot'
import type { SigningKey } from './signing.ts'
import { codeOf } from './store.ts'

const PrivateKey = v.object({
  kty: v.literal('OKP'),
  crv: v.literal('Ed25519'),
  x: v.string(),
  d: v.string(),
})

/** A new key pair, both halves as JWK. */
export function makeKey(): v.InferOutput<typeof PrivateKey> {
  const { privateKey } = generateKeyPairSync('ed25519')
  return v.parse(PrivateKey, privateKey.export({ format: 'jwk' }))
}

/** The key that signs the product's own modules. Its id is derived from the key, so it identifies this key only. */
function asReleaseKey(text: string, where: string): SigningKey {
  let jwk: v.InferOutput<typeof PrivateKey>
  try {
    jwk = v.parse(PrivateKey, JSON.parse(text))
  } catch {
    throw new Error(
      `${where} is no private Ed25519 key in JWK form ({"kty":"OKP","crv":"Ed25519","x":"…","d":"…"}): make one with npm run registry -- key:make.`,
    )
  }
  return { id: `release-${createHash('sha256').update(jwk.x).digest('hex').slice(0, 8)}`, jwk }
}

/** Reads the key from `PORTAL_RELEASE_KEY`, or from a file that is made once and readable by its owner only. */
export function readReleaseKey(given: string | undefined, file: string | null): SigningKey {
  if (given) return asReleaseKey(given, 'PORTAL_RELEASE_KEY')
  if (!file) {
    throw new Error(
      'PORTAL_RELEASE_KEY is missing: set it to the private key that signs releases (npm run registry -- key:make prints one), and keep it.',
    )
  }
  if (!existsSync(file)) {
    mkdirSync(dirname(file), { recursive: true })
    try {
      writeFileSync(file, JSON.stringify(makeKey()), { mode: 0o600, flag: 'wx' })
      chmodSync(file, 0o600)
    } catch (fault) {
      // A concurrent process has made the file.
      if (codeOf(fault) !== 'EEXIST') throw fault
    }
  }
  return asReleaseKey(readFileSync(file, 'utf8'), file)
}
