import type { FastifyInstance } from 'fastify'
import { RegistryRefusal } from '../refusals.ts'
import type { PortalRegistry } from '../registry.ts'
import type { Generation } from '../schemas.ts'
import { storeId } from '../store-id.ts'
import type { Callers } from './callers.ts'

type Params = Record<string, string>

/** What is live and was live. Everybody may read it; names of people are only in responses to signed calls. */
export function readingRoutes(
  app: FastifyInstance,
  registry: PortalRegistry,
  { signed, nameFor }: Pick<Callers, 'signed' | 'nameFor'>,
) {
  const { generations, log } = registry

  app.get('/status', async (request) => {
    const name = await nameFor(request)
    const { modules, ...rest } = await registry.status()
    const unnamed = modules.map((module) => ({ ...module, published_by: name(module.published_by) }))
    return { message: 'What is live.', ...rest, modules: unnamed }
  })
  app.get('/generations', async (request) => {
    const name = await nameFor(request)
    const found: (Omit<Generation, 'modules' | 'release' | 'by'> & { by: string | null })[] = []
    for await (const { modules: _, release: __, ...one } of generations.down()) {
      found.push({ ...one, by: name(one.by) })
      if (found.length === 100) break
    }
    return { message: 'The last generations, newest first.', generations: found }
  })
  app.get<{ Params: Params }>('/generations/:number', async (request) => {
    const { params } = request
    const found = await generations.read(Number(params.number) || 0)
    if (!found) throw new RegistryRefusal(404, `There is no generation ${params.number}.`)
    const name = await nameFor(request)
    return { ...found, by: name(found.by) }
  })
  app.get<{ Querystring: Params }>('/diff', async ({ query }) => {
    const now = (await generations.now()).generation
    const to = Number(query.to ?? now)
    const found = await registry.diff(Number(query.from ?? to - 1), to)
    if (!found)
      throw new RegistryRefusal(404, `There are generations 1 to ${now}: give two of them as from and to.`)
    return { message: 'What differs.', ...found }
  })
  /** The public keys, so that anybody can verify signatures independently of the portal. */
  app.get('/keys', async (request) => {
    const name = await nameFor(request)
    const [keys, revoked] = await Promise.all([registry.keys.list(), registry.revocations.list()])
    return {
      message: 'Whose signature counts for which module, and what was taken back.',
      keys: keys.map(({ id, person, public: half, modules, former, retired }) => ({
        ...{ id, person: name(person), public: half, modules: [...modules, ...former], retired },
        revoked: revoked.keys.includes(id),
      })),
      builds: revoked.builds,
    }
  })
  /** The log has names of people, so reading it needs a key. */
  app.get('/log', (request) =>
    signed(request, async () => ({ message: 'Who did what, newest first.', log: await log.read() })),
  )
  /** Which store this is, so that an operator's command can tell whether it has opened the same one. */
  app.get('/store', async () => ({
    message: 'The store of this registry.',
    id: await storeId(registry.store),
  }))
}
