import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { join } from 'node:path'
import { Books } from './books.ts'
import { serveBank } from './server.ts'

const env = process.env
const books = new Books(env.BANK_AGENCY_DIR ?? join(env.PORTAL_DATA_DIR ?? '.data', 'bank'))
const server = createServer(serveBank(books))
server.on('error', (error) => {
  process.stderr.write(`${error.message}\n`)
  process.exit(1)
})
server.listen(Number(env.BANK_AGENCY_PORT ?? 0), '127.0.0.1', () => {
  const { port } = server.address() as AddressInfo
  process.stdout.write(`bank listening on http://127.0.0.1:${port}\n`)
})
for (const signal of ['SIGTERM', 'SIGINT'] as const)
  process.once(signal, () => {
    server.close(() => process.exit(0))
    server.closeAllConnections()
  })
