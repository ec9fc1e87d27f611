import Fastify, { type FastifyInstance } from 'fastify'
import { probeConnections } from '../kit/database/connections.ts'
import { openDbForCalls } from '../kit/database/db.ts'
import type { Context } from '../kit/process/context.ts'
import type { Health } from '../kit/process/health.ts'
import { measures } from '../kit/process/measures.ts'
import { type Pools, readMeasures } from './gauges.service.ts'
import { readReadiness, withoutDatabase } from './readiness.service.ts'

/** A probe must answer before whoever asks gives up, so it waits for the database for two seconds at most. */
const limits = {
  connections: probeConnections,
  connectMs: 1_500,
  statementMs: 2_000,
  lockMs: 1_000,
  idleMs: 1_000,
  silentMs: 2_500,
}

/**
 * Serves the paths for the machines that operate the portal: `/livez`, `/readyz` and `/metrics`. They have no session, so
 * they belong on a port that the public does not reach (decision 77).
 */
export function machineRoutes(
  server: FastifyInstance,
  context: Context,
  health: Health,
  migrations: readonly string[],
  pools: Pools,
) {
  const probing = { ...context, db: openDbForCalls(context.settings.databaseUrl, limits) }
  server.addHook('onClose', () => probing.db.pool.end())
  server.get('/livez', async (_request, reply) =>
    reply.header('cache-control', 'no-store').send({ status: 'alive' }),
  )
  let migrated = false
  server.get<{ Querystring: { exclude?: string } }>('/readyz', async ({ query }, reply) => {
    const whole = await readReadiness(probing, health, migrations)
    migrated ||= whole.checks.migrations.ok
    const readiness = query.exclude === 'database' && migrated ? withoutDatabase(whole, health) : whole
    return reply
      .header('cache-control', 'no-store')
      .code(readiness.status === 'ready' ? 200 : 503)
      .send(readiness)
  })
  server.get('/metrics', async (_request, reply) => {
    const text = await readMeasures(probing, pools)
    return reply.header('cache-control', 'no-store').type(measures.contentType).send(text)
  })
}

/** Makes a server with these paths only, for a port of its own. */
export function machineServer(
  context: Context,
  health: Health,
  migrations: readonly string[],
  pools: Pools,
): FastifyInstance {
  const server = Fastify({ forceCloseConnections: true })
  server.setNotFoundHandler((_request, reply) => reply.code(404).send({ message: 'Not found' }))
  machineRoutes(server, context, health, migrations, pools)
  return server
}
