import { transfers } from '@portal/contracts/transfers'
import { payrolls } from '@portal/contracts/transfers/payrolls'
import { transaction } from '../../kit/database/db.ts'
import { type App, serve } from '../../kit/http/serve.ts'
import { startExport } from '../../kit/jobs/exports.ts'
import { cohortName, exportName, roundName } from '../export-names.ts'
import { auditPayeeSearch } from '../payee-searches.ts'
import { masterListExport } from './master-list.export.ts'
import { payrollExport } from './payroll.export.ts'
import { readPayroll, readPayrolls } from './payrolls.service.ts'

/** The calls on rounds and their payments, and the exports of lists and rounds. */
export function payrollRoutes(app: App) {
  serve(app, payrolls.list, async (call) => ({
    cohort: await readPayrolls(call, call.params.id, call.query),
  }))
  serve(app, payrolls.read, async (call) => {
    const payrollGroup = await readPayroll(call, call.params.groupId, call.query)
    await auditPayeeSearch(call.db, call.actor, call.query.search, 'payment', payrollGroup.transfer_payrolls)
    return { payrollGroup }
  })
  serve(app, transfers.exportCohort, ({ db, actor, locale, body: { cohort_id, ...filters } }) =>
    transaction(db, async (tx) => {
      const base = exportName('master-list', await cohortName(tx, cohort_id))
      return startExport(tx, actor, locale, masterListExport, { cohort_id, ...filters }, base)
    }),
  )
  serve(app, payrolls.export, ({ db, actor, locale, body: { payroll_id, ...filters } }) =>
    transaction(db, async (tx) => {
      const { cohort, n } = await roundName(tx, payroll_id)
      return startExport(
        tx,
        actor,
        locale,
        payrollExport,
        { payroll_id, ...filters },
        exportName('payroll', `${cohort} ${n}`),
      )
    }),
  )
}
