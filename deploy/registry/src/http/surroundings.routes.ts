import { Surroundings } from '@portal/sdk/gates/candidate'
import type { FastifyInstance } from 'fastify'
import * as v from 'valibot'
import type { PortalRegistry } from '../registry.ts'
import { othersBeside, shellsOf, surroundingsOf } from '../surroundings.ts'
import type { Callers } from './callers.ts'

type Asked = { Params: { name: string; version: string } }

/** What modules are held against, for the gates on a team's machine. Who owns other modules is only in responses to signed calls. */
export function surroundingsRoutes(app: FastifyInstance, registry: PortalRegistry, { nameFor }: Callers) {
  const { store, builds } = registry

  app.get<Asked>('/modules/:name/surroundings/:version', async (request) => {
    const name = await nameFor(request)
    const found = await surroundingsOf(registry, await registry.now(), request.params)
    const { shells, own, others } = v.parse(Surroundings, found)
    const unnamed = others.map(({ owner, ...other }) =>
      owner && name(owner.name) !== null ? { ...other, owner } : other,
    )
    return { message: 'What the module meets.', shells, own, others: unnamed }
  })

  /** For commands of before, which knew fewer gates. */
  app.get('/shell', async () => {
    const live = await registry.now()
    const [current, previous = null] = await shellsOf(store, live)
    const modules = (await othersBeside(builds, live.modules)).map(
      ({ name, routes, permissions, contract, version, collections }) => ({
        ...{ name, routes, permissions, contract, version, collections },
      }),
    )
    return { message: 'What a module meets.', ...current, previous, modules }
  })
}
