import { moduleColumns } from '@portal/contracts/module-columns'
import { moduleNotices } from '@portal/contracts/module-notices'
import { moduleSandboxes } from '@portal/contracts/module-records'
import { modules } from '@portal/contracts/modules'
import { type App, serve } from '../kit/http/serve.ts'
import { admitBuild, decideTrust } from './admissions.service.ts'
import { openCallers } from './callers.service.ts'
import { listVersions, mayWatch, usageByWeek, watchedOrRefuse } from './console.service.ts'
import { openErrorWords } from './error-words.service.ts'
import { orServer } from './keepers.service.ts'
import { say } from './messages.ts'
import { readColumns } from './module-columns.service.ts'
import { sendModuleNotice } from './module-notices.service.ts'
import { moduleServerRoutes } from './module-servers.routes.ts'
import { moduleSettingsRoutes } from './module-settings.routes.ts'
import { changeModule, listChanges, listModules } from './modules.service.ts'
import { recordImportRoutes } from './record-imports.routes.ts'
import { pictureRoutes } from './record-pictures.routes.ts'
import { recordRoutes } from './records.routes.ts'
import { keepReports, listErrors } from './reports.service.ts'
import { emptySandbox, isOverridden, openSandbox } from './sandboxes.service.ts'
import { openStacks } from './stacks.service.ts'

/** The calls on modules: their administration, the reports of browsers, and all that a module has in the portal. */
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

  serve(app, moduleColumns.read, async (call) => ({
    columns: await readColumns(call, call.actor, call.query, call.locale),
  }))
  serve(
    app,
    moduleNotices.send,
    async (call) => {
      // The records of a developer's sandbox are nobody's business.
      if (call.visitor && isOverridden(call, call.params.module))
        return { message: say.noticeOfSandbox, people: 0 }
      const people = await sendModuleNotice(call, call.params.module, call.body)
      return { message: people > 0 ? say.noticeSent(people) : say.noticeForNobody, people }
    },
    orServer(app.db),
  )

  moduleSettingsRoutes(app)
  recordRoutes(app)
  recordImportRoutes(app)
  pictureRoutes(app)
  moduleServerRoutes(app)
}
