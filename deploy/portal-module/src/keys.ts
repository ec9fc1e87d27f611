import { createHash, randomUUID } from 'node:crypto'
import { existsSync, readFileSync, statSync, writeFileSync } from 'node:fs'
import { CompactSign, exportJWK, generateKeyPair, importJWK, type JWK } from 'jose'
import * as v from 'valibot'
import { Refusal } from './refusal.ts'

/** 32 octets in base64url. */
const octets = v.pipe(v.string(), v.regex(/^[\w-]{43}$/))

const KeyFile = v.object({
  id: v.string(),
  person: v.string(),
  private: v.object({ kty: v.literal('OKP'), crv: v.literal('Ed25519'), x: octets, d: octets }),
})

/** A publisher's private key with its id in the portal. */
export type Key = v.InferOutput<typeof KeyFile>

/** Makes a key pair and writes it to a file that only its owner can read. */
export async function makeKey(file: string, { id, person }: { id: string; person: string }): Promise<Key> {
  if (existsSync(file)) throw new Refusal(`${file} is there already: choose another place with --to.`)
  const { privateKey } = await generateKeyPair('EdDSA', { crv: 'Ed25519', extractable: true })
  const { x, d } = await exportJWK(privateKey)
  const key = v.parse(KeyFile, { id, person, private: { kty: 'OKP', crv: 'Ed25519', x, d } })
  writeFileSync(file, `${JSON.stringify(key, null, 2)}\n`, { mode: 0o600, flag: 'wx' })
  return key
}

/** The public half of a key, for the operator of the portal. */
export const publicHalf = ({ private: { d: _, ...half } }: Key): JWK => half

/** Where a key is: in a file, or as text, such as a secret of a CI system. `from` names the setting in messages. */
export type KeySource = { from: string; file: string } | { from: string; text: string }

/** A key that is given as text instead of a file: JSON, PEM, or anything else that is not the path of a JSON file. */
export const isKeyText = (given: string): boolean => /[\n{]/.test(given) || !given.endsWith('.json')

const keyOf = (text: string): Key | null => {
  try {
    return v.parse(KeyFile, JSON.parse(text))
  } catch {
    // The error is dropped: it quotes the text, which may have the private key.
    return null
  }
}

/** Reads a key. No message has any part of a key that is given as text. */
export function readKey(source: KeySource): Key {
  if ('text' in source) {
    const key = keyOf(source.text)
    if (key) return key
    throw new Refusal(
      `${source.from} is neither a key of portal-module nor the path of its file, which ends in .json (the value is not shown): portal-module key makes one. Give the path of that file, or its whole content.`,
    )
  }
  const { file } = source
  if (!existsSync(file))
    throw new Refusal(`There is no key at ${file}: make one with portal-module key --to ${file}.`)
  if (process.platform !== 'win32' && statSync(file).mode & 0o077)
    throw new Refusal(`Others can read ${file}: chmod 600 ${file}, then try again.`)
  const key = keyOf(readFileSync(file, 'utf8'))
  if (key) return key
  throw new Refusal(`${file} is no key of portal-module: portal-module key makes one.`)
}

async function sign({ id, private: jwk }: Key, payload: unknown): Promise<string> {
  return new CompactSign(new TextEncoder().encode(JSON.stringify(payload)))
    .setProtectedHeader({ alg: 'EdDSA', kid: id })
    .sign(await importJWK(jwk, 'EdDSA'))
}

/** What a publisher signs. build.json has the hash of every file, so its hash covers all files. */
export type SignedBuild = { name: string; version: string; build: string; integrity: string }

/** The signature of a build. */
export const signBuild = (key: Key, { name, version, build, integrity }: SignedBuild): Promise<string> =>
  sign(key, { name, version, build, integrity })

/** The `Authorization` of a call. It is valid for this method, path and body, once, and for five minutes. */
export async function authorize(
  key: Key,
  { method, path, body }: { method: string; path: string; body: Buffer | string },
): Promise<string> {
  const sha256 = createHash('sha256').update(body).digest('hex')
  const iat = Math.floor(Date.now() / 1000)
  return `Portal-Key ${await sign(key, { method, path, sha256, iat, jti: randomUUID() })}`
}
