import type { FastifyInstance } from 'fastify'
import type { Settings } from '../process/settings.ts'
import { otherHostOf } from './modules-address.ts'
import { notFound } from './refusals.ts'

/** What isolated modules need: their page, and files of the shell and of modules. The gateway knows which module is where. */
const forFrames = /^\/(frame|assets|modules)\/[^?]/

/**
 * Keeps the hosts of isolated modules to files: there is no call, no page of the portal and no session on them. Somebody who
 * opens one by hand is led to the portal, and so is who opens a demo by its other name. A demo's calls are answered there to
 * programs that are no browsers (`curl 127.0.0.1:8080/api/health`): they have no frames, and on this machine browsers never
 * leave `Sec-Fetch-Site` out. For addresses of other machines by plain http they do.
 */
export function keepToFiles(
  server: FastifyInstance,
  settings: Pick<Settings, 'modulesAt' | 'publicUrl' | 'demo' | 'apiBase'>,
): void {
  const { modulesAt, publicUrl, apiBase } = settings
  const otherHost = otherHostOf(settings)
  server.addHook('onRequest', async (request, reply) => {
    const isOther = request.host === otherHost
    const isOfModules = modulesAt?.has(request.host)
    if (!isOther && !isOfModules) return
    const { method, url, headers } = request
    const isRead = method === 'GET' || method === 'HEAD'
    if (isOfModules && isRead && forFrames.test(url)) return
    const isProgram = isOther && headers['sec-fetch-site'] === undefined
    if (isProgram && url.startsWith(`${apiBase}/`)) return
    reply.header('cache-control', 'no-store')
    // A frame cannot come here by it: `frame-src` of the page around it holds for redirects too.
    const isOpened = isProgram || headers['sec-fetch-dest'] === 'document'
    if (isRead && isOpened) return reply.redirect(publicUrl + url, 302)
    return reply.code(404).send(notFound().body('en'))
  })
}
