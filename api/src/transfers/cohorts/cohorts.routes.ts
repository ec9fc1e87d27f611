import { fillText } from '@portal/contracts/sentences'
import { transfers } from '@portal/contracts/transfers'
import { cohortChanges } from '@portal/contracts/transfers/cohort-changes'
import { auditSearch } from '../../kit/audit/reads.ts'
import { transaction } from '../../kit/database/db.ts'
import { type App, serve } from '../../kit/http/serve.ts'
import { startExport } from '../../kit/jobs/exports.ts'
import { cohortName, exportName } from '../export-names.ts'
import { say } from '../messages.ts'
import { auditPayeeSearch } from '../payee-searches.ts'
import { cohortChangesExport } from './cohort-changes.export.ts'
import { girlOfChange, readChanges } from './cohort-changes.service.ts'
import { decideCohort, resumeCohort, startMissedRound, stopCohort } from './cohort-decision.service.ts'
import { readProgress } from './cohort-progress.service.ts'
import { readSummary } from './cohort-summary.service.ts'
import { uploadCohort } from './cohort-upload.service.ts'
import { listCohorts } from './cohorts.service.ts'
import { readFlags } from './list-flags.service.ts'

/** The calls on cohorts: their lists, decisions and progress. */
export function cohortRoutes(app: App) {
  serve(app, transfers.cohorts, async ({ db, actor, query }) => ({
    cohorts: await listCohorts(db, actor, query),
  }))
  serve(
    app,
    transfers.importCohort,
    async (call) => uploadCohort(call, call.actor, call.body, call.query.review),
    {
      whenInvalid: say.uploadInvalid,
    },
  )
  serve(app, transfers.summary, async ({ db, actor, locale, settings, params, query }) => {
    const cohort = await readSummary(db, actor, locale, settings.fourEyes, params.id, query)
    await auditPayeeSearch(db, actor, query.search, 'listRow', cohort.transfer_master_list)
    return { cohort }
  })
  serve(app, transfers.flags, async ({ db, params }) => ({ flags: await readFlags(db, params.id) }))
  serve(app, cohortChanges.list, async ({ db, actor, params, query }) => {
    const found = await readChanges(db, params.id, query)
    const girls = found.changes.data.map(({ id }) => ({ id: girlOfChange(id) }))
    await auditSearch(db, actor, 'student', query.search, { ...found.changes, data: girls })
    return found
  })
  serve(app, cohortChanges.export, ({ db, actor, locale, body: { cohort_id } }) =>
    transaction(db, async (tx) => {
      const base = exportName('changes', await cohortName(tx, cohort_id))
      return startExport(tx, actor, locale, cohortChangesExport, { cohort_id }, base)
    }),
  )
  serve(app, transfers.progress, async ({ db, params }) => readProgress(db, params.id))
  serve(
    app,
    transfers.decide,
    async ({ db, actor, settings, params, body }) => {
      const made = await decideCohort(db, actor, settings.fourEyes, params.id, body)
      if (made.kind !== 'approved') return { message: made.kind === 'retried' ? say.retried : say.rejected }
      if (made.paid_before) return { message: fillText(say.roundPaidBefore, made.n) }
      const day = made.due_on.split('-').reverse().join('/')
      return { message: fillText(made.ahead ? say.approvedLater : say.approved, made.payments, day) }
    },
    { whenInvalid: say.decisionInvalid },
  )
  serve(app, transfers.stop, async ({ db, actor, params }) => {
    await stopCohort(db, actor, params.id)
    return { message: say.stopped }
  })
  serve(app, transfers.resume, async ({ db, actor, settings, params }) => {
    await resumeCohort(db, actor, settings.fourEyes, params.id)
    return { message: say.resumed }
  })
  serve(app, transfers.startRound, async ({ db, actor, settings, params, body }) => {
    return { message: await startMissedRound(db, actor, settings.fourEyes, params, body) }
  })
}
