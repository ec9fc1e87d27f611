import type { FastifyInstance } from 'fastify'
import type { Context } from './context.ts'

/**
 * A process that does not serve yet, or drains, must get no new calls from the load balancer. `closing`: the listener closes in a
 * moment, and another api had the time to take over.
 */
export type Health = { draining: boolean; starting?: boolean; closing?: boolean }

/**
 * Serves `GET /health`: 200 if the database answers and has every migration, otherwise 503. It is also 503 while
 * draining.
 */
export function serveHealth(
  http: FastifyInstance,
  { db }: Context,
  health: Health,
  migrations: readonly string[],
) {
  let migrated = false
  http.get('/health', { config: { access: 'public' } }, async (_request, reply) => {
    const ready = !health.draining && (await answers())
    return reply
      .code(ready ? 200 : 503)
      .send({ status: ready ? 'ready' : health.draining ? 'draining' : 'starting' })
  })

  async function answers() {
    try {
      if (migrated) await db.pool.query('select 1')
      else {
        const { rows } = await db.pool.query('select count(*) as done from migrations where name = any($1)', [
          migrations,
        ])
        migrated = rows[0].done === migrations.length
      }
      return migrated
    } catch {
      return false
    }
  }
}
