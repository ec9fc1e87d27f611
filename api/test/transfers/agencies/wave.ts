import { createHmac } from 'node:crypto'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { endAgency, launchAgency } from './agency.ts'

/** One payout of the wallet's own ledger. */
export type WavePayout = {
  id: string
  key: string
  client_reference: string
  mobile: string
  amount: number
  fee: number
  status: string
  at: string
  calls: number
  moved: number
}
export const waveKey = 'wave_ml_test_0123456789abcdef'
export const callbackSecret = 'wave_ml_WHS_0123456789'

/** The headers of a report as Wave signs it. */
export function signatureOf(event: object, { secret = callbackSecret, ageSeconds = 0 } = {}) {
  const seconds = String(Math.floor(Date.now() / 1000) - ageSeconds)
  const signature = createHmac('sha256', secret)
    .update(seconds + JSON.stringify(event))
    .digest('hex')
  return { 'wave-signature': `t=${seconds},v1=${signature}` }
}

/** Starts the simulated Wave wallet as a process with its own ledger. */
export async function startWave() {
  const folder = mkdtempSync(join(tmpdir(), 'portal-wave-'))
  const env = { WAVE_AGENCY_PORT: '0', WAVE_AGENCY_DIR: folder, WAVE_AGENCY_KEY: waveKey }
  const { child, url } = await launchAgency(env, 'wave')
  return {
    url,
    host: new URL(url).host,
    async set(switches: Record<string, unknown>) {
      const answer = await fetch(`${url}/switches`, { method: 'PUT', body: JSON.stringify(switches) })
      if (!answer.ok) throw new Error(await answer.text())
    },
    ledger: async () =>
      (await (await fetch(`${url}/ledger`)).json()) as {
        payouts: WavePayout[]
        moved: number
        calls: number
      },
    async close() {
      await endAgency(child, 'SIGTERM')
      rmSync(folder, { recursive: true, force: true })
    },
  }
}
