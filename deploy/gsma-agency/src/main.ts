import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { join } from 'node:path'
import { Account } from './account.ts'
import { report } from './callbacks.ts'
import { serveAccount } from './server.ts'

const env = process.env
const client = {
  apiKey: env.GSMA_AGENCY_KEY ?? 'gsma_test_simulated',
  secret: env.GSMA_AGENCY_CLIENT ?? 'client:gsma_test_simulated',
  account: env.GSMA_AGENCY_ACCOUNT ?? 'organisationid:7001',
}
const account = new Account(env.GSMA_AGENCY_DIR ?? join(env.PORTAL_DATA_DIR ?? '.data', 'gsma'))
account.onEnd = (request) => report(request, account.switches, client.account)

const server = createServer(serveAccount(account, client))
// Longer than clients keep idle connections, so that the server never closes one while an order arrives.
server.keepAliveTimeout = 120_000
server.on('error', (error) => {
  process.stderr.write(`${error.message}\n`)
  process.exit(1)
})
server.listen(Number(env.GSMA_AGENCY_PORT ?? 0), '127.0.0.1', () => {
  const { port } = server.address() as AddressInfo
  process.stdout.write(`gsma agency listening on http://127.0.0.1:${port}\n`)
})
for (const signal of ['SIGTERM', 'SIGINT'] as const)
  process.once(signal, () => {
    server.close(() => process.exit(0))
    server.closeAllConnections()
  })
