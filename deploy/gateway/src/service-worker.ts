import { join } from 'node:path'
import type { FastifyInstance } from 'fastify'
import { sendText, watchedFile } from './pages.ts'

/** The service worker that caches hashed files. It is served at the root, so that it controls every page, and never cached. */
export function serviceWorker(app: FastifyInstance, distDir: string, headers: Record<string, string>): void {
  const script = watchedFile(join(distDir, 'shell/assets/sw.js'))
  app.get('/sw.js', async (request, reply) => {
    const file = await script()
    reply.headers({
      ...headers,
      'cache-control': 'no-store',
      'content-type': 'text/javascript; charset=utf-8',
    })
    if (!file) return reply.code(404).send('')
    return sendText(request, reply, file.text)
  })
}
