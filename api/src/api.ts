import { gateway } from '@portal/gateway'
import { SessionUnavailable } from '@portal/gateway/away'
import { wantedLanguage } from '@portal/gateway/pages'
import { registryService } from '@portal/registry/http/service'
import { sessionAnswer } from './access/sessions.service.ts'
import { registerDomains, registerKinds } from './app.ts'
import { makeServer } from './kit/http/server.ts'
import { offerToken, readSession } from './kit/http/session.ts'
import { unavailable } from './kit/http/unavailable.ts'
import { repeat } from './kit/jobs/repeat.ts'
import type { Context } from './kit/process/context.ts'
import type { Health } from './kit/process/health.ts'
import { machineRoutes } from './machine/machine.routes.ts'
import { migrationNames } from './migrations.ts'
import { usageByWeek } from './modules/console.service.ts'
import { followModules } from './modules/permissions.service.ts'
import { lastErrors } from './modules/reports.service.ts'
import { openStacks } from './modules/stacks.service.ts'

/** Starts the server for browsers and devices, with a context for calls. The returned function stops it. */
export async function startApi(context: Context, health: Health): Promise<() => Promise<void>> {
  const { settings } = context
  registerKinds()
  const server = await makeServer(context, health, migrationNames(), registerDomains)
  if (settings.machine.public)
    machineRoutes(server, context, health, migrationNames(), { calls: context.db.pool })
  const stacks = openStacks(context.registry)
  await server.register(registryService, {
    prefix: '/registry',
    registry: context.registry,
    errors: (module) => lastErrors(context.db, stacks, module),
    usage: (module) => usageByWeek(context.db, module),
  })
  await gateway(server, {
    distDir: settings.distDir,
    apiBase: settings.apiBase,
    publicUrl: settings.publicUrl,
    ...(settings.modulesAt && { modulesAt: settings.modulesAt }),
    listedHosts: settings.backendHosts,
    frameSrc: settings.analytics ? new URL(settings.analytics.url).origin : null,
    dev: settings.dev,
    registry: context.registry,
    moduleOverride: settings.moduleOverride,
    session: async (request, reply) => {
      const visitor = await readSession(context, request).catch(asUnavailable)
      offerToken(settings, request, reply, false)
      return sessionAnswer({ ...context, locale: wantedLanguage(request) }, visitor)
    },
  })
  const follow = followModules(context)
  // People are served before the store of the modules has answered. The process is ready after that.
  await server.listen({ port: settings.port, host: settings.host })
  await follow().catch((error) => context.log.error({ err: error }, 'live modules'))
  const adopt = repeat(context, 'live modules', context.registry.store.near ? 1_000 : 5_000, follow)
  return async () => {
    await adopt()
    await server.close()
  }
}

function asUnavailable(error: unknown): never {
  const refusal = unavailable(error, 'GET')
  throw refusal ? new SessionUnavailable(refusal.headers['retry-after'] ?? '', { cause: error }) : error
}
