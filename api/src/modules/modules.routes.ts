import { moduleRecords, modules } from '@portal/contracts/modules'
import { type App, serve } from '../kit/serve.ts'
import { admitBuild } from './admissions.service.ts'
import { say } from './messages.ts'
import { changeModule, listChanges, listModules } from './modules.service.ts'
import {
  admitTo,
  asDeclared,
  createRecord,
  listRecords,
  removeRecord,
  updateRecord,
} from './records.service.ts'
import { keepReports, listErrors } from './reports.service.ts'

/**
 * The calls on modules: their administration, the reports of browsers, and the records that modules keep in the portal.
 */
export function moduleRoutes(app: App) {
  serve(app, modules.list, ({ db, registry }) => listModules(db, registry))
  serve(app, modules.waiting, async ({ registry }) => ({ builds: await registry.waiting() }))
  serve(app, modules.admit, async ({ db, registry, actor, params, body }) => {
    await admitBuild(db, registry, actor, params.module, body.build)
    return { message: say.admitted }
  })
  serve(app, modules.errors, ({ db, registry, params, query }) =>
    listErrors(db, registry, params.module, query),
  )
  serve(app, modules.changes, ({ registry, params }) => listChanges(registry, params.module))
  serve(app, modules.change, ({ db, registry, actor, params, body }) =>
    changeModule(db, registry, actor, params.module, body),
  )
  serve(app, modules.report, async ({ db, registry, actor, body }) => {
    await keepReports(db, registry, actor, body.reports)
    return { message: say.received }
  })

  serve(app, moduleRecords.list, async ({ db, registry, actor, params, query }) => {
    await admitTo(registry, actor, params, 'read')
    return listRecords(db, params, query)
  })
  serve(app, moduleRecords.create, async ({ db, registry, actor, params, body }) => {
    const data = asDeclared(await admitTo(registry, actor, params, 'write'), body.data)
    return { message: say.recordSaved, record: await createRecord(db, actor, params, data) }
  })
  serve(app, moduleRecords.update, async ({ db, registry, actor, params, body }) => {
    const { id, ...shelf } = params
    const data = asDeclared(await admitTo(registry, actor, shelf, 'write'), body.data)
    return { message: say.recordSaved, record: await updateRecord(db, actor, shelf, id, { ...body, data }) }
  })
  serve(app, moduleRecords.remove, async ({ db, registry, actor, params }) => {
    const { id, ...shelf } = params
    await admitTo(registry, actor, shelf, 'write')
    await removeRecord(db, actor, shelf, id)
    return { message: say.recordDeleted }
  })
}
