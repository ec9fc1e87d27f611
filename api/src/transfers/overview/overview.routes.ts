import { dashboard } from '@portal/contracts/home/dashboard'
import { transfers } from '@portal/contracts/transfers'
import { type App, serve } from '../../kit/http/serve.ts'
import { readInstallation } from '../../kit/process/installation.ts'
import { lastParameters, listAgencies } from '../agencies/agencies.service.ts'
import { lastCohorts } from '../cohorts/cohorts.service.ts'
import { say } from '../messages.ts'
import { transferTotals } from '../payrolls/payrolls.service.ts'
import { readDashboard } from './dashboard.service.ts'

/** The calls on what all transfers add up to. */
export function overviewRoutes(app: App) {
  serve(app, transfers.settings, async ({ db, actor }) => {
    const [agencies, parameters, cohorts, totals, installation] = await Promise.all([
      listAgencies(db),
      lastParameters(db, 3),
      lastCohorts(db, 2),
      transferTotals(db),
      actor.can('agencies.create') ? readInstallation(db) : null,
    ])
    return {
      agencies,
      parameters,
      cohorts,
      totalAmountDisbursed: totals.total_amount_disbursed,
      finalAmountArrears: totals.total_amount_arrears,
      totalAmountFees: totals.total_amount_fees,
      totalAmountExpected: totals.total_amount_expected,
      totalAmountPending: totals.total_amount_pending,
      totalAmountUnknown: totals.total_amount_unknown,
      totalAmountWrittenOff: totals.total_amount_written_off,
      installation,
      message: say.settings,
    }
  })
  serve(app, dashboard.read, ({ db, actor, settings }) => readDashboard(db, actor, settings.fourEyes))
}
