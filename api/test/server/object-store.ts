import { afterAll } from 'vitest'
import { endAgency, launchAgency } from '../transfers/agencies/agency.ts'

type Held = { objects: { bucket: string; key: string; size: number }[]; uploads: string[] }
const secret = 'a secret of the simulated store'

/** Starts the simulated S3-compatible store as a process. It is stopped after the tests of the file. */
export async function startStore() {
  const { child, url } = await launchAgency(
    { OBJECT_STORE_SECRET: secret, OBJECT_STORE_BUCKETS: 'files' },
    'store',
  )
  const close = () => endAgency(child, 'SIGKILL')
  afterAll(close)
  const honest = { cut: null, damage: false, full: false, silent: false, refuse: null }
  const set = async (switches: Record<string, unknown>) => {
    const answer = await fetch(`${url}/-/settings`, { method: 'PUT', body: JSON.stringify(switches) })
    if (!answer.ok) throw new Error(await answer.text())
  }
  return {
    bucket: { endpoint: url, bucket: 'files', region: 'us-east-1', key: 'portal', secret, pathStyle: true },
    set,
    honest: () => set(honest),
    held: async () => (await (await fetch(`${url}/-/objects`)).json()) as Held,
    lose: (key: string) => fetch(`${url}/-/objects?key=${encodeURIComponent(key)}`, { method: 'DELETE' }),
    close,
  }
}
