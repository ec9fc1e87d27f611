import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { join } from 'node:path'
import { report } from './callbacks.ts'
import { serveWallet } from './server.ts'
import { Wallet } from './wallet.ts'

const env = process.env
const wallet = new Wallet(env.WAVE_AGENCY_DIR ?? join(env.PORTAL_DATA_DIR ?? '.data', 'wave'))
wallet.onEnd = (payout) => report(payout, wallet.switches)

const server = createServer(serveWallet(wallet, env.WAVE_AGENCY_KEY ?? 'wave_sn_test_simulated'))
// Longer than clients keep idle connections, so that the server never closes one while an order arrives.
server.keepAliveTimeout = 120_000
server.on('error', (error) => {
  process.stderr.write(`${error.message}\n`)
  process.exit(1)
})
server.listen(Number(env.WAVE_AGENCY_PORT ?? 0), '127.0.0.1', () => {
  const { port } = server.address() as AddressInfo
  process.stdout.write(`wave agency listening on http://127.0.0.1:${port}\n`)
})
for (const signal of ['SIGTERM', 'SIGINT'] as const)
  process.once(signal, () => {
    server.close(() => process.exit(0))
    server.closeAllConnections()
  })
