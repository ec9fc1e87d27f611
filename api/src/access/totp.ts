import { Secret, TOTP } from 'otpauth'

const totpOf = (secret: string, label = '') =>
  new TOTP({ issuer: 'Portal', label, secret: Secret.fromBase32(secret) })

/** A secret of 160 bits (RFC 4226) in base32, which authenticators read. */
export const makeSecret = () => new Secret({ size: 20 }).base32

/** The number of the 30-second time step of a moment. */
export const stepAt = (ms: number) => TOTP.counter({ timestamp: ms })

/** The six digits of a moment (RFC 6238 with SHA-1). */
export const codeAt = (secret: string, ms: number) => totpOf(secret).generate({ timestamp: ms })

/** The time step of a code: the current, previous or next one, because clocks differ; undefined for a wrong code. */
export function stepOf(secret: string, code: string, now = Date.now()): number | undefined {
  const delta = totpOf(secret).validate({ token: code, timestamp: now, window: 1 })
  return delta === null ? undefined : stepAt(now) + delta
}

/** The `otpauth` address that an authenticator scans. */
export const totpUri = (secret: string, email: string) => totpOf(secret, email).toString()

/** Ten recovery codes of 80 bits, for a person who loses her device: `ABCD-EFGH-IJKL-MNOP`. */
export const makeRecoveryCodes = () =>
  Array.from({ length: 10 }, () => new Secret({ size: 10 }).base32.replace(/(.{4})(?=.)/g, '$1-'))

/** A code without the spaces and dashes that people type. */
export const plainCode = (code: string) => code.replace(/[\s-]/g, '').toUpperCase()
