import type { FastifyInstance } from 'fastify'
import type { Context } from './context.ts'

/** Whether this process should get calls. */
export type Health = { draining: boolean }

/** `GET /health`: 200 when the database answers and every migration is there, 503 before and while draining. */
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
