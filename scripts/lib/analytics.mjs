// The demo's own analytics host, where no other is named: which port, and what portal and host both must know.
import { randomBytes } from 'node:crypto'
import { freePort, portTaken } from './ports.mjs'
import { portNumber, requireFreePort } from './settings.mjs'

/** Its script, and the dashboard that it draws. */
export const analyticsScript = 'deploy/analytics-host/src/main.ts'
const dashboard = '12'

/**
 * The settings of the demo's analytics host; none outside the demo, or where the portal has another. A port that was not
 * asked for gives way when it is taken: nobody should be kept from the portal by its survey page.
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
