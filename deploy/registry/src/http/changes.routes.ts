import type { FastifyInstance } from 'fastify'
import { Promotion, Revoking, Rollback, read, Seen } from '../asked.ts'
import { mayOrRefuse } from '../keys.ts'
import { RegistryRefusal } from '../refusals.ts'
import type { PortalRegistry } from '../registry.ts'
import type { PublisherKey, Right } from '../schemas.ts'
import { type Callers, named } from './callers.ts'

/** The changes of what is live. Each is signed by a key with the right to it. */
export function changeRoutes(
  app: FastifyInstance,
  { builds, changes, log }: PortalRegistry,
  { signed, bodyOf }: Pick<Callers, 'signed' | 'bodyOf'>,
) {
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
