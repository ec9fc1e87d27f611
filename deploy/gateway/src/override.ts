import { overrideCookie } from '@portal/contracts/modules'
import type { ModulesAddress } from '@portal/contracts/modules-address'
import { Images, type RegistryModule } from '@portal/sdk/manifest'
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import * as v from 'valibot'
import type { ShownRegistry } from './live.ts'

/** A module that this browser takes from a developer's own machine instead of the registry. */
export type Override = {
  name: string
  origin: string
  /** Where its files are: below a key that the developer's command has made, so that frames without an origin may ask. */
  base: string
  /** Runs in a frame, as it will when it is live. */
  isolated: boolean
}

const lifetime = 8 * 3600
/** How modules are named. */
export const moduleName = /^mfe-[a-z][a-z0-9-]{0,50}$/
const isKey = (text: string) => text === '' || /^[a-f0-9]{16,64}$/.test(text)
const kinds = ['isolated', 'trusted'] as const

/** The developer's machine by its port and the key of its files; null if they are not in order. */
function machineAt(port: string, key: string) {
  if (!isPort(port) || !isKey(key)) return null
  const origin = `http://localhost:${port}`
  return { origin, base: key ? `${origin}/${key}/` : `${origin}/` }
}

/** What a frame is made of, if the portal's page has named a developer's machine (`5177/key`). */
export function developedAt(from: unknown, allowed: boolean) {
  const [, port = '', key = ''] = /^(\d+)\/([a-f0-9]+)$/.exec(String(from ?? '')) ?? []
  return allowed && key ? machineAt(port, key) : null
}

/** The hosts of images in the manifest on a developer's machine, as the portal's page says; none if they are not in order. */
export function developedImages(asked: unknown): string[] {
  const read = v.safeParse(
    Images,
    String(asked ?? '')
      .split(' ')
      .filter(Boolean),
  )
  return read.success ? read.output : []
}

/** The module that a browser overrides, if the server allows it. Only a port is stored, so the host is always localhost. */
export function overrideOf(request: FastifyRequest, allowed: boolean): Override | null {
  if (!allowed) return null
  const found = new RegExp(
    `(?:^|;\\s*)${overrideCookie}=(mfe-[a-z0-9-]+)\\.(\\d+)(?:\\.(isolated|trusted)\\.([a-f0-9]+))?(?:;|$)`,
  ).exec(request.headers.cookie ?? '')
  const [, name = '', port = '', kind, key = ''] = found ?? []
  const machine = machineAt(port, key)
  return moduleName.test(name) && machine ? { name, ...machine, isolated: kind === 'isolated' } : null
}

const isPort = (text: string) => /^\d{4,5}$/.test(text) && Number(text) >= 1024 && Number(text) <= 65535

/**
 * The registry with one entry that points to the developer's machine. The browser reads build.json there, which decides
 * routes and menus. A module that the portal does not have yet gets an empty entry.
 */
export function overridden(
  registry: ShownRegistry,
  text: string,
  { name, base, isolated }: Override,
  modulesAt: ModulesAddress | null,
): { registry: ShownRegistry; text: string } {
  const page = JSON.parse(text) as { modules: Record<string, unknown>[] }
  const known = page.modules.find((each) => each.name === name)
  const { withheld: _, disabled: __, previous: ___, isolated: ____, ...kept } = known ?? unknownModule(name)
  const place = isolated && modulesAt ? { isolated: modulesAt.originOf(name) } : {}
  const entry = { ...kept, base, integrity: '', previous: null, override: true, ...place }
  const modules = [...page.modules.filter((each) => each !== known), entry]
  return {
    // Nothing is preloaded, because only its build.json knows where its files are.
    registry: { ...registry, modules: registry.modules.filter((each) => each.name !== name) },
    text: JSON.stringify({ ...page, modules }),
  }
}

/** The registry of the frame of a module from a developer's machine. It reads there what the module consists of. */
export const developedRegistry = (name: string, base: string): string =>
  JSON.stringify({
    ...{ generation: 0, shell: null },
    modules: [{ ...unknownModule(name), base, integrity: '', previous: null, override: true }],
  })

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

/** `/dev/override?module=mfe-x&port=5177&key=…&kind=isolated` and `/dev/override/reset`. */
export function serveOverride(
  app: FastifyInstance,
  { allowed, modulesAt }: { allowed: boolean; modulesAt: ModulesAddress | null },
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

  type Asked = { Querystring: { module?: string; port?: string; to?: string; key?: string; kind?: string } }
  app.get<Asked>('/dev/override', async (request, reply) => {
    if (!allowed)
      return refuse(
        reply,
        403,
        'This portal does not run modules from a developer’s machine: use one that is started with PORTAL_MODULE_OVERRIDE=yes, such as npm start’s.',
      )
    if (isForeign(request)) return refuse(reply, 403, 'Open this address yourself, in a tab of its own.')
    const { module = '', port = '', key = '', kind = 'trusted', to } = request.query
    if (!moduleName.test(module))
      return refuse(reply, 422, 'module is the name of a module, such as mfe-health.')
    if (!isPort(port))
      return refuse(reply, 422, 'port is that of the module on this machine, from 1024 to 65535.')
    if (!isKey(key) || !kinds.some((each) => each === kind))
      return refuse(
        reply,
        422,
        'key is that which portal-module dev has printed, and kind is isolated or trusted.',
      )
    if (kind === 'isolated' && !(modulesAt && key))
      return refuse(
        reply,
        422,
        'This portal has no second address for isolated modules: set PORTAL_MODULES_URL, or open the address with kind=trusted.',
      )
    const known = await find(module)
    const asked = to && /^\/[a-z][\w/-]*$/.test(to) ? to : undefined
    const value = key ? `${module}.${port}.${kind}.${key}` : `${module}.${port}`
    return keep(reply, value, lifetime).redirect(asked ?? known?.routes[0] ?? '/home', 302)
  })
  app.get('/dev/override/reset', (request, reply) => {
    if (isForeign(request)) return refuse(reply, 403, 'Open this address yourself, in a tab of its own.')
    return keep(reply, '', 0).redirect('/home', 302)
  })
}
