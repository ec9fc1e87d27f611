// The demo's analytics host, used when the settings name no other: its port, and the settings that portal and host share.
import { randomBytes } from 'node:crypto'
import { freePort, portTaken } from './ports.mjs'
import { portNumber, requireFreePort } from './settings.mjs'

/** The id of its dashboard. */
const dashboard = '12'

/**
 * The settings of the demo's analytics host; undefined outside the demo or when the portal uses another host. If the
 * default port is taken, a free one is used, so that the survey page never keeps the portal from starting.
 * @param {import('./settings.mjs').Settings} settings
 * @returns {Promise<NodeJS.ProcessEnv | undefined>}
 */
export async function analyticsSettings({ demo, port, env }) {
  if (!demo || env.ANALYTICS_URL) return undefined
  let own = portNumber('ANALYTICS_PORT', env.ANALYTICS_PORT || String(port < 65_534 ? port + 2 : port - 2))
  if (env.ANALYTICS_PORT) await requireFreePort('ANALYTICS_PORT', own, '127.0.0.1')
  else if (await portTaken(own, '127.0.0.1').catch(() => true)) own = await freePort()
  return {
    ANALYTICS_PORT: String(own),
    ANALYTICS_URL: `http://127.0.0.1:${own}`,
    ANALYTICS_SECRET: randomBytes(32).toString('hex'),
    ANALYTICS_DASHBOARD: dashboard,
  }
}
