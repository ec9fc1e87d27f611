import { createHmac, randomBytes } from 'node:crypto'

const alphabet = 'ABCDEFGHIJKLMNOPQRSTUVWXYZ234567'
const period = 30_000

/** RFC 4648 without padding: what authenticators read. */
export function base32(bytes: Buffer): string {
  let text = ''
  let bits = 0
  let held = 0
  for (const byte of bytes) {
    held = (held << 8) | byte
    bits += 8
    while (bits >= 5) {
      bits -= 5
      text += alphabet[(held >> bits) & 31]
    }
    held &= (1 << bits) - 1
  }
  return bits ? text + alphabet[(held << (5 - bits)) & 31] : text
}

function bytesOf(text: string): Buffer {
  const bytes: number[] = []
  let bits = 0
  let held = 0
  for (const letter of text) {
    held = (held << 5) | alphabet.indexOf(letter)
    bits += 5
    if (bits < 8) continue
    bits -= 8
    bytes.push((held >> bits) & 255)
    held &= (1 << bits) - 1
  }
  return Buffer.from(bytes)
}

/** A secret of 160 bits, as RFC 4226 asks. */
export const makeSecret = () => base32(randomBytes(20))

/** The time step a moment lies in. */
export const stepAt = (ms: number) => Math.floor(ms / period)

/** The six digits of a step (RFC 6238 with SHA-1). */
export function codeAt(secret: string, step: number): string {
  const counter = Buffer.alloc(8)
  counter.writeBigUInt64BE(BigInt(step))
  const mac = createHmac('sha1', bytesOf(secret)).update(counter).digest()
  const offset = (mac.at(-1) ?? 0) & 15
  return String((mac.readUInt32BE(offset) & 0x7fffffff) % 1_000_000).padStart(6, '0')
}

/** The step a code belongs to: this one, the one before or the one after, as clocks differ; undefined when none. */
export function stepOf(secret: string, code: string, now = Date.now()): number | undefined {
  const present = stepAt(now)
  return [present, present - 1, present + 1].find((step) => codeAt(secret, step) === code)
}

/** The address an authenticator scans. */
export const totpUri = (secret: string, email: string) =>
  `otpauth://totp/${encodeURIComponent(`Portal:${email}`)}?secret=${secret}&issuer=Portal`

/** Ten codes of 80 bits for whoever loses the device: `ABCD-EFGH-IJKL-MNOP`. */
export const makeRecoveryCodes = () =>
  Array.from({ length: 10 }, () => base32(randomBytes(10)).replace(/(.{4})(?=.)/g, '$1-'))

/** A code as it is compared: without what people put between its letters. */
export const plainCode = (code: string) => code.replace(/[\s-]/g, '').toUpperCase()
