import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { serveObjects } from './server.ts'

const env = process.env
const account = {
  key: env.OBJECT_STORE_KEY ?? 'portal',
  secret: env.OBJECT_STORE_SECRET ?? 'a secret of the simulated store',
  region: env.OBJECT_STORE_REGION ?? 'us-east-1',
}
const handle = serveObjects(account, (env.OBJECT_STORE_BUCKETS ?? 'portal').split(','), env.OBJECT_STORE_DIR)
const server = createServer((request, reply) => {
  handle(request, reply).catch(() => reply.destroy())
})
server.on('error', (error) => {
  process.stderr.write(`${error.message}\n`)
  process.exit(1)
})
server.listen(Number(env.OBJECT_STORE_PORT ?? 0), '127.0.0.1', () => {
  const { port } = server.address() as AddressInfo
  process.stdout.write(`object store listening on http://127.0.0.1:${port}\n`)
})
for (const signal of ['SIGTERM', 'SIGINT'] as const)
  process.once(signal, () => {
    server.close(() => process.exit(0))
    server.closeAllConnections()
  })
