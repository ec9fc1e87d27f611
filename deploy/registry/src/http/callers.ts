import type { FastifyInstance, FastifyRequest } from 'fastify'
import { authorityOf, type Claim, claimOf } from '../authority.ts'
import { RegistryRefusal } from '../refusals.ts'
import type { PortalRegistry } from '../registry.ts'
import type { PublisherKey } from '../schemas.ts'

/** The largest body of a call, in bytes. */
export const bodyLimit = 10 * 1024 * 1024

export type Callers = ReturnType<typeof openCallers>

/** Who calls: reads the claim of each call before its body, and checks the signature over the body before it is acted on. */
export function openCallers(app: FastifyInstance, registry: PortalRegistry) {
  const bodies = new WeakMap<FastifyRequest, Buffer>()
  const claims = new WeakMap<FastifyRequest, Claim>()
  app.removeAllContentTypeParsers()
  app.addContentTypeParser('*', { parseAs: 'buffer', bodyLimit }, (request, body, done) => {
    bodies.set(request, body as Buffer)
    done(null, undefined)
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
        await registry.log.write({ by: named(key), what: `${method} ${path}`, ok: false, message })
      throw fault
    }
  }

  /** Returns the name to whoever signed the call with a key of this registry, and null to everybody else. */
  async function nameFor(request: FastifyRequest) {
    const claim = claims.get(request)
    const known = claim && (await authorityOf(registry, claim, bodyOf(request)))
    return (name: string | null) => (known ? name : null)
  }

  return { bodyOf, signed, nameFor }
}

const pathOf = ({ url }: FastifyRequest) => url.split('?')[0] ?? ''

/** The name of a key's person for the log. */
export const named = ({ person, id }: PublisherKey) => `${person} (${id})`
