import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtempSync, openSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import { freePort } from '../../../scripts/lib/ports.mjs'
import { alive } from '../../../scripts/lib/processes.mjs'
import { startPostgres } from '../../../scripts/postgres.mjs'
import type { Place } from '../../stage/portal.ts'

const root = resolve(import.meta.dirname, '../../..')

/** The portal as `npm start` brings it up and keeps it up, on a database that survives what is done to it. */
export default async function startSupervised() {
  const folder = mkdtempSync(join(tmpdir(), 'portal-faults-'))
  const dir = join(folder, 'postgres')
  const postgres = await startPostgres({ dir })
  const [port, agencyPort] = [await freePort(), await freePort()]
  const place: Place = {
    url: `http://127.0.0.1:${port}`,
    agencyUrl: `http://127.0.0.1:${agencyPort}`,
    ownerUrl: postgres.ownerUrl,
    folder,
    settings: {},
  }
  const log = join(folder, 'start.log')
  const out = openSync(log, 'a')
  const portal = spawn(process.execPath, [join(root, 'scripts/lib/start.mjs')], {
    env: {
      ...process.env,
      PORT: String(port),
      SANDBOX_AGENCY_PORT: String(agencyPort),
      PORTAL_DATA_DIR: folder,
      PORTAL_PUBLIC_URL: place.url,
      PORTAL_DEMO_SIZE: 'small',
      PORTAL_FOUR_EYES: 'true',
      DATABASE_URL: postgres.appUrl,
      DATABASE_OWNER_URL: postgres.ownerUrl,
    },
    stdio: ['ignore', out, out],
  })
  const stop = async () => {
    if (portal.pid && alive(portal.pid)) {
      const exited = once(portal, 'exit')
      portal.kill('SIGTERM')
      await exited
    }
    // A test may have stopped the server and started another one on the same folder.
    await (await startPostgres({ dir })).stop()
    rmSync(folder, { recursive: true, force: true })
  }
  for (const until = Date.now() + 180_000; !readFileSync(log, 'utf8').includes('The portal is ready'); ) {
    if (Date.now() > until || portal.exitCode !== null) {
      const output = readFileSync(log, 'utf8')
      await stop()
      throw new Error(`The portal did not come up:\n${output}`)
    }
    await pause(100)
  }
  process.env.PORTAL_STAGE = JSON.stringify(place)
  return stop
}
