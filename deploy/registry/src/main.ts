import Fastify from 'fastify'
import { registryService } from './http/service.ts'
import { openRegistry } from './registry.ts'
import { openStore } from './settings.ts'

/** Runs the registry as a separate process, below /registry, for portals whose pages are served elsewhere. */
const app = Fastify({ logger: { level: process.env.LOG_LEVEL ?? 'info' }, forceCloseConnections: 'idle' })
const registry = openRegistry({ store: openStore(process.env), fault: (message) => app.log.error(message) })
await app.register(registryService, { prefix: '/registry', registry })
await app.listen({ port: Number(process.env.PORT ?? 8090), host: process.env.HOST ?? '127.0.0.1' })
for (const signal of ['SIGTERM', 'SIGINT'] as const) process.on(signal, () => void app.close())
