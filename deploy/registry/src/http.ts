import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { Promotion, Revoking, Rollback, read, Seen } from './asked.ts'
import { authorityOf, type Claim, claimOf } from './authority.ts'
import { mayOrRefuse } from './keys.ts'
import { isAbout } from './log.ts'
import { RegistryRefusal } from './refusals.ts'
import type { PortalRegistry } from './registry.ts'
import type { Generation, PublisherKey, Right } from './schemas.ts'
import { codeOf } from './store.ts'
import { storeId } from './store-id.ts'
import { surroundingsRoutes } from './surroundings-routes.ts'
import { Announced, openUploads } from './uploads.ts'

const bodyLimit = 10 * 1024 * 1024
type Params = Record<string, string>

/** What the portal knows of a module beyond the registry: failures in browsers, and loads by week and page. */
export type RegistryServiceOptions = {
  registry: PortalRegistry
  errors?: (module: string) => Promise<object[]>
  usage?: (module: string) => Promise<{ weeks: object[]; pages: object[] }>
}

/**
 * The registry over HTTP, below the prefix it is registered with. Calls that change something are signed. Everybody may
 * read what is live; names of people are only in responses to signed calls. Responses are `{message, …}`.
 */
export async function registryService(
  app: FastifyInstance,
  { registry, errors, usage }: RegistryServiceOptions,
): Promise<void> {
  const { changes, builds, log, generations } = registry
  const uploads = openUploads(registry)
  const bodies = new WeakMap<FastifyRequest, Buffer>()
  const claims = new WeakMap<FastifyRequest, Claim>()
  app.removeAllContentTypeParsers()
  app.addContentTypeParser('*', { parseAs: 'buffer', bodyLimit }, (request, body, done) => {
    bodies.set(request, body as Buffer)
    done(null, undefined)
  })
  app.setErrorHandler((fault, request, reply) => answerFault(fault, request, reply))
  app.setNotFoundHandler((_request, reply) => {
    reply.code(404).send({ message: 'The registry has no such call: its README lists them.' })
  })
  app.addHook('onRequest', async (request, reply) => {
    reply.headers({ 'cache-control': 'no-store', 'x-content-type-options': 'nosniff' })
    const { method, headers } = request
    if (['GET', 'HEAD'].includes(method) && !headers.authorization) return
    // The body is read only after the key has been checked.
    const { authorization } = headers
    claims.set(request, await claimOf(registry, { method, path: pathOf(request), authorization }))
  })

  const bodyOf = (request: FastifyRequest) => bodies.get(request) ?? Buffer.alloc(0)

  /** The key of a signed call. Later refusals of the call are logged. */
  async function signed<T>(request: FastifyRequest, act: (key: PublisherKey) => Promise<T>): Promise<T> {
    const { method } = request
    const path = pathOf(request)
    const claim = claims.get(request) ?? (await claimOf(registry, { method, path, authorization: undefined }))
    const key = await authorityOf(registry, claim, bodyOf(request))
    try {
      return await act(key)
    } catch (fault) {
      const { message } = fault as Error
      if (fault instanceof RegistryRefusal)
        await log.write({ by: named(key), what: `${method} ${path}`, ok: false, message })
      throw fault
    }
  }

  /** Returns the name to whoever signed the call with a key of this registry, and null to everybody else. */
  async function nameFor(request: FastifyRequest) {
    const claim = claims.get(request)
    const known = claim && (await authorityOf(registry, claim, bodyOf(request)))
    return (name: string | null) => (known ? name : null)
  }

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
  surroundingsRoutes(app, registry, nameFor)

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

  app.post('/uploads', (request, reply) =>
    signed(request, async (key) => {
      const { there, ...answer } = await uploads.announce(key, read(Announced, bodyOf(request)))
      return reply.code(there ? 200 : 201).send(answer)
    }),
  )
  app.put<{ Params: Params }>('/uploads/:name/:build/files/*', { bodyLimit }, (request, reply) =>
    signed(request, async (key) => {
      const { name = '', build = '', '*': path = '' } = request.params
      return reply.code(201).send(await uploads.putFile(key, name, build, path, bodyOf(request)))
    }),
  )
  app.post<{ Params: Params }>('/uploads/:name/:build/commit', (request, reply) =>
    signed(request, async (key) => {
      const { name = '', build = '' } = request.params
      const { there, ...answer } = await uploads.commit(key, name, build)
      if (!there)
        await log.write({
          by: named(key),
          what: 'publish',
          ok: true,
          message: `${name} ${answer.version} (${build})`,
        })
      return reply.code(there ? 200 : 201).send(answer)
    }),
  )

  app.post<{ Params: { name: string } }>('/modules/:name/promote', (request) =>
    signed(request, async (key) => {
      const { name } = request.params
      mayOrRefuse(key, 'promote', name)
      const asked = read(Promotion, bodyOf(request))
      await refuseSamePerson(key, name, asked.version)
      const live = await changes.promote({ by: named(key), name, ...asked })
      const entry = live.modules.find((module) => module.name === name)
      const waits = entry?.beside?.find(({ version }) => version === asked.version)
      if (entry && waits && !asked.canary)
        return {
          message: `${name} ${asked.version} stands beside ${entry.version}: it waits for a portal of contract ${waits.contract}, or for tabs that still run one.`,
          generation: live.generation,
        }
      const forWhom = asked.canary ? ' for those that were named' : ''
      const off = entry?.disabled
      const still = off ? ` It is still out of use: portal-module enable ${name}.` : ''
      return { message: `${name} ${asked.version} is live${forWhom}.${still}`, generation: live.generation }
    }),
  )

  /** Four eyes: one person signs a build, another promotes it. */
  async function refuseSamePerson(key: PublisherKey, name: string, version: string) {
    const record = await builds.ofVersion(name, version)
    if (!record || record.person.trim().toLowerCase() !== key.person.trim().toLowerCase()) return
    throw new RegistryRefusal(
      403,
      `${name} ${version} was published by ${record.person}; somebody else promotes it: portal-module promote ${name} ${version} --key <their key>.`,
    )
  }

  const simple: Record<
    string,
    { right: Right; act: 'rollback' | 'disable' | 'enable' | 'pin' | 'unpin'; result: string }
  > = {
    rollback: { right: 'rollback', act: 'rollback', result: 'is back at the build before' },
    disable: { right: 'disable', act: 'disable', result: 'is out of use' },
    enable: { right: 'disable', act: 'enable', result: 'is in use again' },
    pin: { right: 'pin', act: 'pin', result: 'stays as it is' },
    unpin: { right: 'pin', act: 'unpin', result: 'may be changed again' },
  }
  for (const [path, { right, act, result }] of Object.entries(simple)) {
    app.post<{ Params: { name: string } }>(`/modules/:name/${path}`, (request) =>
      signed(request, async (key) => {
        const { name } = request.params
        mayOrRefuse(key, right, name)
        const asked = read(act === 'rollback' ? Rollback : Seen, bodyOf(request))
        const live = await changes[act]({ by: named(key), name, ...asked })
        const entry = live.modules.find((module) => module.name === name)
        return { message: `${name} ${entry?.version ?? ''} ${result}.`, generation: live.generation }
      }),
    )
  }

  app.post<{ Params: { name: string } }>('/modules/:name/revoke', (request) =>
    signed(request, async (key) => {
      const { name } = request.params
      mayOrRefuse(key, 'revoke', name)
      const { version, reason } = read(Revoking, bodyOf(request))
      const { generation } = await changes.revoke({ by: named(key), name, version, reason })
      await log.write({ by: named(key), what: 'revoke', ok: true, message: `${name} ${version}: ${reason}` })
      return { message: `${name} ${version} is revoked: nobody runs it any more.`, generation }
    }),
  )
}

const pathOf = ({ url }: FastifyRequest) => url.split('?')[0] ?? ''

const named = ({ person, id }: PublisherKey) => `${person} (${id})`

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
