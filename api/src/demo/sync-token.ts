import { deriveKey, type KeyRing } from '../kit/secrets/keys.ts'
import { hmac } from '../kit/secrets/seal.ts'

/** The demo's token for devices. It is derived from the demo's secret, so it need not be stored. */
export const demoSyncToken = (keys: Pick<KeyRing, 'current'>): string =>
  hmac(deriveKey(keys, 'demo sync token'), 'SMS gateway').toString('base64url')
