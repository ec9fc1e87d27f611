import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect } from 'vitest'
import type { Portal } from '../../portal.ts'
import { endAgency, launchAgency } from './agency.ts'

/** One request of the operator's own ledger. */
export type GsmaDisbursement = {
  key: string
  transaction: string
  reference: string
  msisdn: string
  amount: number
  fee: number
  callback: string | null
  status: string
  at: string
  calls: number
  moved: number
}
export const gsmaKey = 'gsma_ml_test_0123456789abcdef'
export const gsmaAccount = 'organisationid:7001'
export const gsmaSecret = 'gsma_ml_callbacks_0123456789'
/** With signs that a header or a form would change, as secrets have. */
export const gsmaClient = { client_id: 'sikilinso/ml', client_secret: 'gsma_ml_secret:0123+4567%89' }

/** How the portal is connected to the operator. */
export const gsmaDetails = {
  protocol: 'gsma',
  paying_account: gsmaAccount,
  api_key: gsmaKey,
  callback_secret: gsmaSecret,
}

/** An administrator adds the operator at `endpoint` over HTTP, so that its key is sealed. Returns the id of the agency. */
export async function addGsma(
  portal: Portal,
  endpoint: string,
  name: string,
  pace: { concurrency: number; rate?: number },
): Promise<number> {
  const admin = await portal.signedInAs('Administrator')
  const made = await admin.post('/admin/transfers/agency', {
    name,
    description: 'Account of the programme',
    type: 'mobile_money',
    country: 'ml',
    fees: 1,
    endpoint,
    details: { ...gsmaDetails, ...pace },
  })
  expect(made.status).toBe(200)
  const { rows } = await portal.owner.query('select id from transfer_agencies where name = $1', [name])
  return rows[0].id
}

/** Starts the simulated GSMA operator as a process with its own ledger. It reports nothing until a test tells it to. */
export async function startGsma() {
  const folder = mkdtempSync(join(tmpdir(), 'portal-gsma-'))
  const env = {
    GSMA_AGENCY_PORT: '0',
    GSMA_AGENCY_DIR: folder,
    GSMA_AGENCY_KEY: gsmaKey,
    GSMA_AGENCY_CLIENT: `${gsmaClient.client_id}:${gsmaClient.client_secret}`,
    GSMA_AGENCY_ACCOUNT: gsmaAccount,
  }
  const { child, url } = await launchAgency(env, 'gsma')
  const set = async (switches: Record<string, unknown>) => {
    const answer = await fetch(`${url}/switches`, { method: 'PUT', body: JSON.stringify(switches) })
    if (!answer.ok) throw new Error(await answer.text())
  }
  await set({ callbacks: 0 })
  return {
    /** The address up to the version of the API, as operators hand it out. */
    endpoint: `${url}/v1.2/mm`,
    /** Where tokens are given out. */
    tokenUrl: `${url}/oauth/token`,
    host: new URL(url).host,
    set,
    ledger: async () =>
      (await (await fetch(`${url}/ledger`)).json()) as {
        disbursements: GsmaDisbursement[]
        moved: number
        calls: number
        strangers: number
        tokens: { asked: number; given: number }
      },
    async close() {
      await endAgency(child, 'SIGTERM')
      rmSync(folder, { recursive: true, force: true })
    },
  }
}
