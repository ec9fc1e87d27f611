import { join } from 'node:path'
import type { FastifyInstance } from 'fastify'
import { sendText, watchedFile } from './pages.ts'

/** The worker that keeps hashed files in the browser: at the root, so that it may serve every page, and always asked for anew. */
export function serviceWorker(app: FastifyInstance, distDir: string, headers: Record<string, string>): void {
  const script = watchedFile(join(distDir, 'shell/assets/sw.js'))
  app.get('/sw.js', async (request, reply) => {
    const held = await script()
    reply.headers({
      ...headers,
      'cache-control': 'no-store',
      'content-type': 'text/javascript; charset=utf-8',
    })
    if (!held) return reply.code(404).send('')
    return sendText(request, reply, held.text)
  })
}
