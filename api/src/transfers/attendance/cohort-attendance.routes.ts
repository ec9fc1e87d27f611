import { cohortAttendance } from '@portal/contracts/transfers/cohort-attendance'
import { transaction } from '../../kit/database/db.ts'
import { type App, serve } from '../../kit/http/serve.ts'
import { startExport } from '../../kit/jobs/exports.ts'
import { cohortName, exportName } from '../export-names.ts'
import { cohortAttendanceExport } from './cohort-attendance.export.ts'
import { readAttendance } from './cohort-attendance.service.ts'

/** The calls on the attendance of the girls of a list. */
export function cohortAttendanceRoutes(app: App) {
  serve(app, cohortAttendance.list, ({ db, params, query }) => readAttendance(db, params.id, query))
  serve(app, cohortAttendance.export, ({ db, actor, locale, body: { cohort_id } }) =>
    transaction(db, async (tx) => {
      const base = exportName('attendance', await cohortName(tx, cohort_id))
      return startExport(tx, actor, locale, cohortAttendanceExport, { cohort_id }, base)
    }),
  )
}
