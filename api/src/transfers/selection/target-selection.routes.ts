import { targetSelection } from '@portal/contracts/target-selection'
import { transaction } from '../../kit/db.ts'
import { startExport } from '../../kit/exports.ts'
import { auditSearch } from '../../kit/reads.ts'
import { type App, serve } from '../../kit/serve.ts'
import { say } from '../messages.ts'
import { makeSelectedCohort } from './selection-cohort.service.ts'
import { selectionExport } from './target-selection.export.ts'
import { countSelection, listLeftOut } from './target-selection.service.ts'

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
