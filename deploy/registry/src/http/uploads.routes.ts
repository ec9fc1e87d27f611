import type { FastifyInstance } from 'fastify'
import { read } from '../asked.ts'
import type { PortalRegistry } from '../registry.ts'
import { commit } from '../uploads/commit.ts'
import { Announced } from '../uploads/staged.ts'
import { announce, putFile } from '../uploads/uploads.ts'
import { bodyLimit, type Callers, named } from './callers.ts'

type Params = Record<string, string>

/** The upload of a build: announced, its files one by one, and the commit that publishes it. */
export function uploadRoutes(
  app: FastifyInstance,
  registry: PortalRegistry,
  { signed, bodyOf }: Pick<Callers, 'signed' | 'bodyOf'>,
) {
  app.post('/uploads', (request, reply) =>
    signed(request, async (key) => {
      const { there, ...answer } = await announce(registry, key, read(Announced, bodyOf(request)))
      return reply.code(there ? 200 : 201).send(answer)
    }),
  )
  app.put<{ Params: Params }>('/uploads/:name/:build/files/*', { bodyLimit }, (request, reply) =>
    signed(request, async (key) => {
      const { name = '', build = '', '*': path = '' } = request.params
      const file = { name, build, path, content: bodyOf(request) }
      return reply.code(201).send(await putFile(registry, key, file))
    }),
  )
  app.post<{ Params: Params }>('/uploads/:name/:build/commit', (request, reply) =>
    signed(request, async (key) => {
      const { name = '', build = '' } = request.params
      const { there, ...answer } = await commit(registry, key, name, build)
      if (!there)
        await registry.log.write({
          by: named(key),
          what: 'publish',
          ok: true,
          message: `${name} ${answer.version} (${build})`,
        })
      return reply.code(there ? 200 : 201).send(answer)
    }),
  )
}
