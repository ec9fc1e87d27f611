import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { RegistryRefusal } from '../refusals.ts'
import type { PortalRegistry } from '../registry.ts'
import { codeOf } from '../store.ts'
import { openCallers } from './callers.ts'
import { changeRoutes } from './changes.routes.ts'
import { readingRoutes } from './reading.routes.ts'
import { surroundingsRoutes } from './surroundings.routes.ts'
import { type KnownByPortal, teamRoutes } from './team.routes.ts'
import { uploadRoutes } from './uploads.routes.ts'

export type RegistryServiceOptions = KnownByPortal & { registry: PortalRegistry }

/**
 * The registry over HTTP, below the prefix it is registered with. Calls that change something are signed. Everybody may
 * read what is live; names of people are only in responses to signed calls. Responses are `{message, …}`.
 */
export async function registryService(
  app: FastifyInstance,
  { registry, ...known }: RegistryServiceOptions,
): Promise<void> {
  app.setErrorHandler((fault, request, reply) => answerFault(fault, request, reply))
  app.setNotFoundHandler((_request, reply) => {
    reply.code(404).send({ message: 'The registry has no such call: its README lists them.' })
  })
  const callers = openCallers(app, registry)
  readingRoutes(app, registry, callers)
  surroundingsRoutes(app, registry, callers)
  teamRoutes(app, registry, callers, known)
  uploadRoutes(app, registry, callers)
  changeRoutes(app, registry, callers)
}

function answerFault(fault: unknown, request: FastifyRequest, reply: FastifyReply) {
  if (fault instanceof RegistryRefusal)
    return reply.code(fault.status).send({ message: fault.message, ...fault.more })
  const { statusCode, message } = fault as { statusCode?: number; message: string }
  if (statusCode === 413)
    return reply.code(413).send({ message: 'A file of a module has at most 10 MB: make it smaller.' })
  if (statusCode && statusCode < 500) return reply.code(statusCode).send({ message })
  request.log.error({ err: fault, request_id: request.id }, 'the registry failed')
  if (['ENOSPC', 'EDQUOT'].includes(codeOf(fault) ?? '')) {
    return reply.code(507).send({
      message: "The portal's store is full: nothing was changed. Ask the portal's operator to make room.",
    })
  }
  return reply
    .code(500)
    .send({ message: `The registry could not do it; its log has the reason (${request.id}).` })
}
