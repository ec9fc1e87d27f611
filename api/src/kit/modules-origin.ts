import type { FastifyInstance } from 'fastify'
import { notFound } from './refusals.ts'
import type { Settings } from './settings.ts'

/** What isolated modules need: their page, and files of the shell and of modules. */
const forFrames = /^\/(frame|assets|modules)\/[^?]/

/**
 * Keeps the origin of isolated modules to files: there is no call, no page of the portal and no session on it. Somebody who
 * opens it by hand, such as a demo at its other name, is led to the portal. A demo's calls are answered there to programs
 * that are no browsers (`curl 127.0.0.1:8080/api/health`): they have no frames, and on this machine browsers never leave
 * `Sec-Fetch-Site` out. For addresses of other machines by plain http they do.
 */
export function keepToFiles(
  server: FastifyInstance,
  { modulesUrl, publicUrl, demo, apiBase }: Pick<Settings, 'modulesUrl' | 'publicUrl' | 'demo' | 'apiBase'>,
): void {
  if (!modulesUrl) return
  const { host, hostname } = new URL(modulesUrl)
  const isLocalDemo = demo && ['localhost', '127.0.0.1'].includes(hostname)
  server.addHook('onRequest', async (request, reply) => {
    if (request.host !== host) return
    const { method, url, headers } = request
    const isRead = method === 'GET' || method === 'HEAD'
    if (isRead && forFrames.test(url)) return
    const isProgram = isLocalDemo && headers['sec-fetch-site'] === undefined
    if (isProgram && url.startsWith(`${apiBase}/`)) return
    reply.header('cache-control', 'no-store')
    // A frame cannot come here by it: `frame-src` of the page around it holds for redirects too.
    const isOpened = isProgram || headers['sec-fetch-dest'] === 'document'
    if (isRead && isOpened) return reply.redirect(publicUrl + url, 302)
    return reply.code(404).send(notFound().body('en'))
  })
}
