import {
  createCipheriv,
  createDecipheriv,
  createHmac,
  createSecretKey,
  hash,
  type KeyObject,
  randomBytes,
  timingSafeEqual,
} from 'node:crypto'
import { idLength, type Key, type KeyRing } from './keys.ts'

/** How a sealed value with a key id begins. Values of earlier releases begin with their random nonce. */
const mark = Buffer.from('seal:')

/** What every value begins with that this key has sealed. */
export const sealPrefix = ({ id }: Pick<Key, 'id'>) => Buffer.concat([mark, Buffer.from(id, 'hex')])

/** Thrown when a value was sealed with a secret that this process does not have. */
export class MissingKey extends Error {
  constructor(id: string) {
    super(
      `A stored value was sealed with the key ${id}, which this process does not have: set the secret of this key as PORTAL_SECRET_FORMER, or as PORTAL_SECRET_NEXT if it is the newer one.`,
    )
  }
}

/**
 * Encrypts a text with AES-256-GCM. The result has a mark, 4 bytes of key id, 12 bytes of nonce, 16 bytes of tag, then the
 * ciphertext.
 */
export function seal(keys: KeyRing, text: string): Buffer {
  const nonce = randomBytes(12)
  const cipher = createCipheriv('aes-256-gcm', keys.current.derive('seal'), nonce)
  const hidden = Buffer.concat([cipher.update(text, 'utf8'), cipher.final()])
  return Buffer.concat([sealPrefix(keys.current), nonce, cipher.getAuthTag(), hidden])
}

/** The id of the key that sealed a value; null if the value carries none, so that the oldest key opens it. */
export const sealedBy = (sealed: Buffer): string | null =>
  sealed.subarray(0, mark.length).equals(mark)
    ? sealed.toString('hex', mark.length, mark.length + idLength)
    : null

/** Decrypts what `seal` encrypted. Throws if it was changed, and a `MissingKey` if its key is not among these. */
export function open(keys: KeyRing, sealed: Buffer): string {
  const id = sealedBy(sealed)
  const key = id === null ? keys.oldest : keys.all.get(id)
  if (!key) throw new MissingKey(id ?? '')
  const rest = id === null ? sealed : sealed.subarray(mark.length + idLength)
  const decipher = createDecipheriv('aes-256-gcm', key.derive('seal'), rest.subarray(0, 12))
  decipher.setAuthTag(rest.subarray(12, 28))
  return Buffer.concat([decipher.update(rest.subarray(28)), decipher.final()]).toString('utf8')
}

/** HMAC-SHA-256 with the current key of a purpose, after 4 bytes of key id. */
export function sign(keys: KeyRing, purpose: string, data: string): Buffer {
  const { current } = keys
  return Buffer.concat([Buffer.from(current.id, 'hex'), hmac(current.derive(purpose), data)])
}

/** The key that made a signature. Signatures of earlier releases have no id and are those of the oldest key. */
export function signedBy(keys: KeyRing, signature: Buffer): Key | undefined {
  if (signature.length === 32) return keys.oldest
  return signature.length === idLength + 32 ? keys.all.get(signature.toString('hex', 0, idLength)) : undefined
}

/** Whether one of these keys made this signature for this purpose and data. */
export function signatureFits(keys: KeyRing, purpose: string, data: string, signature: Buffer): boolean {
  const key = signedBy(keys, signature)
  return key !== undefined && timingSafeEqual(signature.subarray(-32), hmac(key.derive(purpose), data))
}

/** SHA-256 of a text or bytes. */
export const sha256 = (data: string | Buffer) => hash('sha256', data, 'buffer')

/** Making a key out of bytes takes seven times as long as the signature of a short text. */
const keyObjects = new WeakMap<Buffer, KeyObject>()

function keyObject(key: Buffer): KeyObject {
  const known = keyObjects.get(key)
  if (known) return known
  const made = createSecretKey(key)
  keyObjects.set(key, made)
  return made
}

/** HMAC-SHA-256. */
export const hmac = (key: Buffer, data: string | Buffer) =>
  createHmac('sha256', keyObject(key)).update(data).digest()

/** 256 random bits as text that fits into an address or a cookie. */
export const randomToken = () => randomBytes(32).toString('base64url')
