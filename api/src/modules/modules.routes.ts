import { moduleBackends } from '@portal/contracts/module-backends'
import { moduleFlags } from '@portal/contracts/module-flags'
import { moduleSandboxes } from '@portal/contracts/module-records'
import { moduleSettings } from '@portal/contracts/module-settings'
import { moduleTokens } from '@portal/contracts/module-tokens'
import { modules } from '@portal/contracts/modules'
import { type App, type Call, serve } from '../kit/serve.ts'
import { admitBuild, decideTrust } from './admissions.service.ts'
import { callBackend } from './backends.service.ts'
import { openCallers } from './callers.service.ts'
import { listVersions, mayWatch, usageByWeek, watchedOrRefuse } from './console.service.ts'
import { openErrorWords } from './error-words.service.ts'
import { say } from './messages.ts'
import { decideFlag, listFlags, ownFlags } from './module-flags.service.ts'
import { changeSettings, ownSettings, readSettings } from './module-settings.service.ts'
import {
  createModuleToken,
  listModuleTokens,
  revokeModuleToken,
  tokenCollections,
} from './module-tokens.service.ts'
import { changeModule, listChanges, listModules } from './modules.service.ts'
import { recordImportRoutes } from './record-imports.routes.ts'
import { pictureRoutes } from './record-pictures.routes.ts'
import { recordRoutes } from './records.routes.ts'
import { keepReports, listErrors } from './reports.service.ts'
import { emptySandbox, openSandbox } from './sandboxes.service.ts'
import { openStacks } from './stacks.service.ts'
import { publicKeys } from './vouchers.service.ts'

type ToBackend = Call & { params: { module: string; backend: string; rest: string } }

/** Passes a call on to a server of its module, with the query as it came. */
const passOn = (call: ToBackend, method: 'GET' | 'POST' | 'PUT' | 'DELETE', body?: Record<string, unknown>) =>
  callBackend(call, call.actor, {
    ...{ ...call.params, method, locale: call.locale, request_id: call.request_id },
    search: /\?.*$/.exec(call.request.raw.url ?? '')?.[0] ?? '',
    ...(body && { body }),
  })

/** The calls on modules: their administration, the reports of browsers, their records, and calls to their own servers. */
export function moduleRoutes(app: App) {
  app.checkCaller = openCallers(app.registry)
  const stacks = openStacks(app.registry)
  const words = openErrorWords(app.registry)
  serve(app, modules.list, async ({ db, registry, settings, actor }) => {
    const { generation, modules: all } = await listModules(db, registry, settings)
    return { generation, modules: all.filter(({ name }) => mayWatch(actor, name)) }
  })
  serve(app, modules.usage, async ({ db, registry, actor, params }) => {
    await watchedOrRefuse(registry, actor, params.module)
    return usageByWeek(db, params.module)
  })
  serve(app, modules.versions, async ({ registry, actor, params }) => {
    await watchedOrRefuse(registry, actor, params.module)
    return listVersions(registry, params.module)
  })
  serve(app, modules.waiting, async ({ registry, settings }) => ({
    builds: await registry.waiting(),
    isolates: settings.modulesAt !== undefined,
  }))
  serve(app, modules.admit, async ({ db, registry, actor, params, body }) => {
    await admitBuild({ db, registry }, actor, params.module, body)
    return { message: say.admitted }
  })
  serve(app, modules.trust, async ({ db, registry, actor, params, body }) => {
    await decideTrust({ db, registry }, actor, params.module, body)
    return { message: body.trusted ? say.trusted : say.isolated }
  })
  serve(app, modules.errors, async ({ db, registry, actor, params, query }) => {
    await watchedOrRefuse(registry, actor, params.module)
    return listErrors(db, stacks, params.module, query, { named: actor.can('modules.manage') })
  })
  serve(app, modules.changes, async ({ registry, actor, params }) => {
    await watchedOrRefuse(registry, actor, params.module)
    return listChanges(registry, params.module)
  })
  serve(app, modules.change, ({ db, registry, actor, params, body }) =>
    changeModule({ db, registry }, actor, params.module, body),
  )
  serve(app, modules.report, async ({ db, registry, actor, body }) => {
    await keepReports(db, registry, words, actor, body.reports)
    return { message: say.received }
  })

  serve(app, moduleSandboxes.open, async (call) => {
    const records = await openSandbox(call.db, call, call.actor, call.params.module, call.body.collections)
    return { message: say.sandboxOpened, records }
  })
  serve(app, moduleSandboxes.empty, async (call) => {
    await emptySandbox(call.db, call, call.actor, call.params.module)
    return { message: say.sandboxEmptied }
  })

  serve(app, moduleFlags.list, ({ db, registry, params }) => listFlags(db, registry, params.module))
  serve(app, moduleFlags.decide, async ({ db, registry, actor, params, body }) => ({
    message: say.flagDecided,
    flag: await decideFlag(db, registry, actor, params, body),
  }))
  serve(app, moduleFlags.own, async ({ db, registry, actor, params }) => ({
    flags: await ownFlags(db, registry, actor, params.module),
  }))

  serve(app, moduleSettings.read, ({ db, registry, params }) => readSettings(db, registry, params.module))
  serve(app, moduleSettings.change, async ({ db, registry, actor, params, body }) => ({
    message: say.settingsChanged,
    ...(await changeSettings(db, registry, actor, params.module, body)),
  }))
  serve(app, moduleSettings.own, async ({ db, registry, params }) => ({
    settings: await ownSettings(db, registry, params.module),
  }))

  recordRoutes(app)
  recordImportRoutes(app)
  pictureRoutes(app)
  serve(app, moduleTokens.list, async ({ db, registry, params }) => ({
    tokens: await listModuleTokens(db, params.module),
    collections: await tokenCollections(registry, params.module),
  }))
  serve(app, moduleTokens.create, async ({ db, registry, actor, params, body }) => ({
    message: say.tokenCreated,
    ...(await createModuleToken(db, registry, actor, params.module, body)),
  }))
  serve(app, moduleTokens.revoke, async ({ db, actor, params }) => {
    await revokeModuleToken(db, actor, params.module, params.id)
    return { message: say.tokenRevoked }
  })

  serve(app, moduleBackends.keys, async ({ settings }) => ({ keys: publicKeys(settings.secret) }))
  serve(app, moduleBackends.get, (call) => passOn(call, 'GET'))
  serve(app, moduleBackends.create, (call) => passOn(call, 'POST', call.body))
  serve(app, moduleBackends.update, (call) => passOn(call, 'PUT', call.body))
  serve(app, moduleBackends.remove, (call) => passOn(call, 'DELETE'))
}
