import type { FastifyInstance, FastifyRequest } from 'fastify'
import { isAbout } from '../log.ts'
import { RegistryRefusal } from '../refusals.ts'
import type { PortalRegistry } from '../registry.ts'
import type { Callers } from './callers.ts'

/** What the portal knows of a module beyond the registry: failures in browsers, and loads by week and page. */
export type KnownByPortal = {
  errors?: ((module: string) => Promise<object[]>) | undefined
  usage?: ((module: string) => Promise<{ weeks: object[]; pages: object[] }>) | undefined
}

/** What only a module's own team reads: its versions, and what failed in browsers. */
export function teamRoutes(
  app: FastifyInstance,
  registry: PortalRegistry,
  { signed }: Pick<Callers, 'signed'>,
  { errors, usage }: KnownByPortal,
) {
  const { builds, log } = registry

  /** For the module's own team: which versions were published, and what failed in browsers. */
  const ofTeam = <T>(request: FastifyRequest, name: string, act: () => Promise<T>) =>
    signed(request, async (key) => {
      if (key.modules.includes(name)) return act()
      throw new RegistryRefusal(403, `The key ${key.id} is not for ${name}: use a key of its team.`)
    })
  app.get<{ Params: { name: string } }>('/modules/:name/versions', (request) => {
    const { name } = request.params
    return ofTeam(request, name, async () => {
      const records = (await builds.list(name)).sort((a, b) => (a.at < b.at ? 1 : -1))
      const versions = records.map(async ({ version, build, at, person }) => ({
        ...{ version, build, at, person },
        admitted_by: (await registry.admissions.of(name, build))?.by ?? null,
      }))
      return {
        message: 'The published versions, newest first.',
        versions: await Promise.all(versions),
        changes: await registry.history(name),
      }
    })
  })
  const without = (what: string) =>
    new RegistryRefusal(404, `This registry runs without a portal, which has the ${what}.`)
  app.get<{ Params: { name: string } }>('/modules/:name/errors', (request) => {
    const { name } = request.params
    return ofTeam(request, name, async () => {
      if (!errors) throw without('errors')
      return { message: 'The last failures in browsers, newest first.', errors: await errors(name) }
    })
  })
  app.get<{ Params: { name: string } }>('/modules/:name/usage', (request) => {
    const { name } = request.params
    return ofTeam(request, name, async () => {
      if (!usage) throw without('usage')
      const { weeks, pages } = await usage(name)
      return { message: 'Loads, failures and people by week, and loads by page.', usage: weeks, pages }
    })
  })
  app.get<{ Params: { name: string } }>('/modules/:name/logs', (request) => {
    const { name } = request.params
    return ofTeam(request, name, async () => ({
      message: 'Who did what with the module, and what was refused, newest first.',
      log: (await log.read()).filter((line) => isAbout(line, name)),
    }))
  })
}
