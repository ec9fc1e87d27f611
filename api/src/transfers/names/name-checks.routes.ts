import { nameChecks } from '@portal/contracts/transfers/name-checks'
import { transaction } from '../../kit/database/db.ts'
import { type App, serve } from '../../kit/http/serve.ts'
import { startExport } from '../../kit/jobs/exports.ts'
import { cohortName, exportName } from '../export-names.ts'
import { auditPayeeSearch } from '../payee-searches.ts'
import { say } from './name-check.messages.ts'
import { namesExport } from './name-checks.export.ts'
import { cancelCheck, listNames, readNames, startCheck } from './name-checks.service.ts'
import { askName } from './name-question.service.ts'

/** The calls on names at the agency. */
export function nameCheckRoutes(app: App) {
  serve(app, nameChecks.read, ({ db, locale, params }) => readNames(db, locale, params.id))
  serve(app, nameChecks.list, async ({ db, actor, settings, params, query }) => {
    const found = await listNames(db, settings.secret, params.id, query)
    await auditPayeeSearch(db, actor, query.search, 'listRow', found.names)
    return found
  })
  serve(app, nameChecks.start, async ({ db, actor, params }) => {
    await startCheck(db, actor, params.id)
    return { message: say.started }
  })
  serve(app, nameChecks.cancel, async ({ db, actor, params }) => {
    await cancelCheck(db, actor, params.id)
    return { message: say.cancelled }
  })
  serve(app, nameChecks.ask, (call) => askName(call, call.params.id, call.body))
  serve(app, nameChecks.export, ({ db, actor, locale, body: { cohort_id } }) =>
    transaction(db, async (tx) => {
      const base = exportName('names', await cohortName(tx, cohort_id))
      return startExport(tx, actor, locale, namesExport, { cohort_id }, base)
    }),
  )
}
