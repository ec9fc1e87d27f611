import type { FastifyInstance } from 'fastify'
import { notFound } from './refusals.ts'

/** What isolated modules need: their page, and files of the shell and of modules. */
const forFrames = /^\/(frame|assets|modules)\/[^?]/

/** Keeps the origin of isolated modules to files: there is no call, no page of the portal and no session on it. */
export function keepToFiles(server: FastifyInstance, modulesUrl: string | undefined): void {
  if (!modulesUrl) return
  const { host } = new URL(modulesUrl)
  server.addHook('onRequest', async (request, reply) => {
    if (request.host !== host) return
    const isRead = request.method === 'GET' || request.method === 'HEAD'
    if (isRead && forFrames.test(request.url)) return
    await reply.code(404).header('cache-control', 'no-store').send(notFound().body('en'))
  })
}
