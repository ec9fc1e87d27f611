import { targetSelection } from '@portal/contracts/transfers/target-selection'
import { auditSearch } from '../../kit/audit/reads.ts'
import { transaction } from '../../kit/database/db.ts'
import { type App, serve } from '../../kit/http/serve.ts'
import { startExport } from '../../kit/jobs/exports.ts'
import { say } from '../messages.ts'
import { makeSelectedCohort } from './selection-cohort.service.ts'
import { countSelection } from './selection-counts.service.ts'
import { selectionExport } from './target-selection.export.ts'
import { listLeftOut } from './target-selection.service.ts'

/** The calls on target lists from the register (Imports 4.5). */
export function targetSelectionRoutes(app: App) {
  serve(app, targetSelection.count, ({ db, query }) => countSelection(db, query))
  serve(app, targetSelection.leftOut, async ({ db, actor, query }) => {
    const students = await listLeftOut(db, query)
    await auditSearch(db, actor, 'student', query.search, students)
    return { students }
  })
  serve(
    app,
    targetSelection.makeCohort,
    (call) => makeSelectedCohort(call, call.actor, call.locale, call.body, call.query.review),
    { whenInvalid: say.uploadInvalid },
  )
  serve(app, targetSelection.export, ({ db, actor, locale, body }) =>
    transaction(db, (tx) => startExport(tx, actor, locale, selectionExport, body, 'target-list')),
  )
}
