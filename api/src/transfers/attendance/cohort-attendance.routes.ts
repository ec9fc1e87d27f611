import { cohortAttendance } from '@portal/contracts/cohort-attendance'
import { transaction } from '../../kit/db.ts'
import { startExport } from '../../kit/exports.ts'
import { type App, serve } from '../../kit/serve.ts'
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
