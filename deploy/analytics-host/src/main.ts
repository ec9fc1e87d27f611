import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { serveAnalytics } from './server.ts'

const env = process.env
const port = Number(env.ANALYTICS_PORT || Number(env.PORT || 8080) + 2)
const secret = env.ANALYTICS_SECRET ?? ''
const dashboard = env.ANALYTICS_DASHBOARD ?? ''

if (!Number.isInteger(port) || port < 0 || port > 65_535)
  stop('ANALYTICS_PORT must be a number from 0 to 65535.')
if (secret.length < 32)
  stop('ANALYTICS_SECRET is missing: 32 characters or more, the same as the portal has.')
if (!dashboard) stop('ANALYTICS_DASHBOARD is missing: the id that the portal signs for.')

const server = createServer(serveAnalytics({ secret, dashboard, ancestors: portalOrigins() }))
server.on('error', (error: NodeJS.ErrnoException) => {
  stop(error.code === 'EADDRINUSE' ? `Port ${port} is taken: set ANALYTICS_PORT.` : error.message)
})
server.listen({ port, host: '127.0.0.1' }, () => {
  const { port } = server.address() as AddressInfo
  process.stdout.write(`analytics host listening on http://127.0.0.1:${port}\n`)
})
for (const signal of ['SIGTERM', 'SIGINT'] as const)
  process.once(signal, () => {
    server.close(() => process.exit(0))
    server.closeAllConnections()
  })

/** The demo is reached as localhost and as 127.0.0.1. */
function portalOrigins(): string[] {
  const { origin, port, protocol } = new URL(env.PORTAL_PUBLIC_URL || `http://localhost:${env.PORT || 8080}`)
  const local = ['localhost', '127.0.0.1'].map((name) => `${protocol}//${name}${port ? `:${port}` : ''}`)
  return local.includes(origin) ? local : [origin]
}

function stop(sentence: string): never {
  process.stderr.write(`${sentence}\n`)
  process.exit(1)
}
