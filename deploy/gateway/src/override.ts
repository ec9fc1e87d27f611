import { overrideCookie } from '@portal/contracts/modules'
import type { RegistryModule } from '@portal/sdk/manifest'
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import type { ShownRegistry } from './live.ts'

/** A module that this browser takes from a developer's own machine instead of the registry. */
export type Override = { name: string; origin: string }

const lifetime = 8 * 3600
const moduleName = /^mfe-[a-z][a-z0-9-]{0,50}$/

/** The module that a browser overrides, if the server allows it. Only a port is stored, so the host is always localhost. */
export function overrideOf(request: FastifyRequest, allowed: boolean): Override | null {
  if (!allowed) return null
  const found = new RegExp(`(?:^|;\\s*)${overrideCookie}=(mfe-[a-z0-9-]+)\\.(\\d+)(?:;|$)`).exec(
    request.headers.cookie ?? '',
  )
  const [, name = '', port = ''] = found ?? []
  return moduleName.test(name) && isPort(port) ? { name, origin: `http://localhost:${port}` } : null
}

const isPort = (text: string) => /^\d{4,5}$/.test(text) && Number(text) >= 1024 && Number(text) <= 65535

/**
 * The registry with one entry that points to the developer's machine. The browser reads build.json there, which decides
 * routes and menus. A module that the portal does not have yet gets an empty entry.
 */
export function overridden(
  registry: ShownRegistry,
  text: string,
  { name, origin }: Override,
): { registry: ShownRegistry; text: string } {
  const page = JSON.parse(text) as { modules: Record<string, unknown>[] }
  const known = page.modules.find((each) => each.name === name)
  const { withheld: _, disabled: __, previous: ___, isolated: ____, ...kept } = known ?? unknownModule(name)
  const entry = { ...kept, base: `${origin}/`, integrity: '', previous: null, override: true }
  const modules = [...page.modules.filter((each) => each !== known), entry]
  return {
    // Nothing is preloaded, because only its build.json knows where its files are.
    registry: { ...registry, modules: registry.modules.filter((each) => each.name !== name) },
    text: JSON.stringify({ ...page, modules }),
  }
}

const unknownModule = (name: string): Record<string, unknown> => ({
  name,
  title: { en: name, fr: name },
  owner: { name: '', contact: '' },
  contract: '^1.0.0',
  routes: [],
  nav: [],
  version: '0.0.0',
  build: '000000000000',
})

/** `/dev/override?module=mfe-x&port=5177` and `/dev/override/reset`. */
export function serveOverride(
  app: FastifyInstance,
  allowed: boolean,
  find: (name: string) => Promise<RegistryModule | undefined>,
): void {
  const refuse = (reply: FastifyReply, status: number, message: string) =>
    reply.code(status).header('cache-control', 'no-store').send({ message })
  /** Whether the request comes from another site. A link there must not change what this browser runs. */
  const isForeign = (request: FastifyRequest) => {
    const site = request.headers['sec-fetch-site']
    return site !== undefined && site !== 'same-origin' && site !== 'none'
  }
  const keep = (reply: FastifyReply, value: string, seconds: number) =>
    reply
      .header(
        'set-cookie',
        `${overrideCookie}=${value}; Path=/; Max-Age=${seconds}; HttpOnly; SameSite=Strict`,
      )
      .header('cache-control', 'no-store')

  type Asked = { Querystring: { module?: string; port?: string; to?: string } }
  app.get<Asked>('/dev/override', async (request, reply) => {
    if (!allowed)
      return refuse(
        reply,
        403,
        'This portal does not run modules from a developer’s machine: use one that is started with PORTAL_MODULE_OVERRIDE=yes, such as npm start’s.',
      )
    if (isForeign(request)) return refuse(reply, 403, 'Open this address yourself, in a tab of its own.')
    const { module = '', port = '', to } = request.query
    if (!moduleName.test(module))
      return refuse(reply, 422, 'module is the name of a module, such as mfe-health.')
    if (!isPort(port))
      return refuse(reply, 422, 'port is that of the module on this machine, from 1024 to 65535.')
    const known = await find(module)
    const asked = to && /^\/[a-z][\w/-]*$/.test(to) ? to : undefined
    return keep(reply, `${module}.${port}`, lifetime).redirect(asked ?? known?.routes[0] ?? '/home', 302)
  })
  app.get('/dev/override/reset', (request, reply) => {
    if (isForeign(request)) return refuse(reply, 403, 'Open this address yourself, in a tab of its own.')
    return keep(reply, '', 0).redirect('/home', 302)
  })
}
