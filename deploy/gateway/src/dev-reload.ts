import type { FastifyInstance, FastifyReply } from 'fastify'

const script = `new EventSource('/dev/reload').onmessage = () => location.reload()`

/** Tells open pages when a generation is published. Returns a function that adds the listener to a page. */
export function devReload(
  app: FastifyInstance,
  registry: () => Promise<{ etag: string } | null>,
): (html: string) => string {
  const listeners = new Set<FastifyReply>()
  let last: string | undefined
  const timer = setInterval(async () => {
    const etag = (await registry().catch(() => null))?.etag
    if (etag && last && etag !== last) for (const reply of listeners) reply.raw.write('data: reload\n\n')
    last = etag ?? last
  }, 300)
  timer.unref()
  app.addHook('onClose', async () => {
    clearInterval(timer)
    for (const reply of listeners) reply.raw.end()
  })
  app.get('/dev/reload.js', (_request, reply) => reply.type('text/javascript').send(script))
  app.get('/dev/reload', (request, reply) => {
    reply.hijack()
    reply.raw.writeHead(200, { 'content-type': 'text/event-stream', 'cache-control': 'no-store' })
    reply.raw.write(': open\n\n')
    listeners.add(reply)
    request.raw.on('close', () => listeners.delete(reply))
  })
  return (html) => html.replace('</head>', '<script src="/dev/reload.js" defer></script></head>')
}
