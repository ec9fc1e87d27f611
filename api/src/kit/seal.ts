import { createCipheriv, createDecipheriv, createHash, createHmac, hkdfSync, randomBytes } from 'node:crypto'

/** Derives a key of 32 bytes for one purpose from the portal's secret. */
export function deriveKey(secret: string, purpose: string): Buffer {
  return Buffer.from(hkdfSync('sha256', secret, 'portal', purpose, 32))
}

/** Encrypts a text with AES-256-GCM. The result has 12 bytes of nonce, 16 bytes of tag, then the ciphertext. */
export function seal(secret: string, text: string): Buffer {
  const nonce = randomBytes(12)
  const cipher = createCipheriv('aes-256-gcm', deriveKey(secret, 'seal'), nonce)
  const hidden = Buffer.concat([cipher.update(text, 'utf8'), cipher.final()])
  return Buffer.concat([nonce, cipher.getAuthTag(), hidden])
}

/** Decrypts what `seal` encrypted. Throws if it was changed or encrypted with another secret. */
export function open(secret: string, sealed: Buffer): string {
  const decipher = createDecipheriv('aes-256-gcm', deriveKey(secret, 'seal'), sealed.subarray(0, 12))
  decipher.setAuthTag(sealed.subarray(12, 28))
  return Buffer.concat([decipher.update(sealed.subarray(28)), decipher.final()]).toString('utf8')
}

/** SHA-256 of a text or bytes. */
export const sha256 = (data: string | Buffer) => createHash('sha256').update(data).digest()

/** HMAC-SHA-256. */
export const hmac = (key: Buffer, data: string | Buffer) => createHmac('sha256', key).update(data).digest()

/** 256 random bits as text that fits into an address or a cookie. */
export const randomToken = () => randomBytes(32).toString('base64url')
