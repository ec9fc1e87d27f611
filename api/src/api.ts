import { gateway } from '@portal/gateway'
import { wantedLanguage } from '@portal/gateway/pages'
import { registryService } from '@portal/registry/http'
import { sessionAnswer } from './access/sessions.service.ts'
import { registerDomains, registerKinds } from './app.ts'
import type { Context } from './kit/context.ts'
import type { Health } from './kit/health.ts'
import { makeServer } from './kit/server.ts'
import { offerToken, readSession } from './kit/session.ts'
import { migrationNames } from './migrations.ts'
import { followModules } from './modules/permissions.service.ts'

/** Starts the server for browsers and devices. The returned function stops it. */
export async function startApi(context: Context, health: Health): Promise<() => Promise<void>> {
  const { settings } = context
  registerKinds()
  const server = await makeServer(context, health, migrationNames(), registerDomains)
  await server.register(registryService, { prefix: '/registry', registry: context.registry })
  await gateway(server, {
    distDir: settings.distDir,
    apiBase: settings.apiBase,
    publicUrl: settings.publicUrl,
    frameSrc: settings.analytics ? new URL(settings.analytics.url).origin : null,
    demo: settings.demo,
    dev: settings.dev,
    registry: context.registry,
    moduleOverride: settings.moduleOverride,
    session: async (request, reply) => {
      const visitor = await readSession(context, request)
      offerToken(settings, request, reply, false)
      return sessionAnswer(visitor, wantedLanguage(request), settings)
    },
  })
  const adopt = adoptLiveModules(context)
  await adopt.now()
  await server.listen({ port: settings.port, host: settings.host })
  return async () => {
    adopt.stop()
    await server.close()
  }
}

/** Adopts the permissions of live modules at once and then by a timer. A failure is logged and retried. */
function adoptLiveModules(context: Context) {
  const follow = followModules(context)
  const now = () =>
    follow().catch((fault) => context.log.error({ err: fault }, 'live modules were not adopted'))
  const timer = setInterval(() => void now(), context.registry.store.near ? 1_000 : 5_000)
  return { now, stop: () => clearInterval(timer) }
}
