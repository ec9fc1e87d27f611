import { deriveKey, hmac } from '../kit/seal.ts'

/** The demo's token for devices. It is derived from the demo's secret, so it need not be stored. */
export const demoSyncToken = (secret: string): string =>
  hmac(deriveKey(secret, 'demo sync token'), 'SMS gateway').toString('base64url')
