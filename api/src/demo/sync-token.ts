import { deriveKey, hmac } from '../kit/seal.ts'

/** The demo's token for devices: its text is nowhere kept, whoever has the demo's secret can make it again. */
export const demoSyncToken = (secret: string): string =>
  hmac(deriveKey(secret, 'demo sync token'), 'SMS gateway').toString('base64url')
