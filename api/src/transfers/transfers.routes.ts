import { agencyBalance } from '@portal/contracts/agency-balance'
import { cohortAttendance } from '@portal/contracts/cohort-attendance'
import { cohortChanges } from '@portal/contracts/cohort-changes'
import { paymentExceptions } from '@portal/contracts/payment-exceptions'
import { fillText } from '@portal/contracts/sentences'
import { transfers } from '@portal/contracts/transfers'
import { transaction } from '../kit/db.ts'
import { startExport } from '../kit/exports.ts'
import { readInstallation } from '../kit/installation.ts'
import { accepted } from '../kit/respond.ts'
import { type App, serve } from '../kit/serve.ts'
import {
  createAgency,
  createParameter,
  lastParameters,
  listAgencies,
  listParameters,
  setParameterStatus,
} from './agencies.service.ts'
import { askBalance } from './agency-balance.service.ts'
import { decideChange, updateAgency, withdrawChange } from './agency-changes.service.ts'
import { cohortAttendanceExport } from './cohort-attendance.export.ts'
import { readAttendance } from './cohort-attendance.service.ts'
import { cohortChangesExport } from './cohort-changes.export.ts'
import { readChanges } from './cohort-changes.service.ts'
import { decideCohort, resumeCohort, startMissedRound, stopCohort } from './cohort-decision.service.ts'
import { uploadCohort } from './cohort-upload.service.ts'
import { lastCohorts, listCohorts, readProgress, readSummary } from './cohorts.service.ts'
import { say as correctionSay } from './correction.messages.ts'
import { say as exceptionSay } from './exception.messages.ts'
import { closeException, listExceptions } from './exceptions.service.ts'
import { readFlags } from './list-flags.service.ts'
import { say } from './messages.ts'
import { retryPayments } from './payment-retry.service.ts'
import { readPayroll, readPayrolls, transferTotals } from './payrolls.service.ts'
import {
  decideCorrection,
  listCorrections,
  proposeCorrection,
  withdrawCorrection,
} from './recipient-corrections.service.ts'
import { cohortExport, cohortName, exportName, payrollExport, roundName } from './transfers.export.ts'
import { writeOffPayments } from './write-off.service.ts'

/** The calls on transfers. */
export function transferRoutes(app: App) {
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
  serve(app, transfers.createAgency, async (call) => {
    await createAgency(call, call.actor, call.body)
    return { message: say.agencyCreated }
  })
  serve(app, transfers.updateAgency, async (call) => {
    const proposed = await updateAgency(call, call.actor, call.params.id, call.body)
    return proposed ? accepted({ message: say.changeProposed }) : { message: say.agencyUpdated }
  })
  serve(app, transfers.decideAgencyChange, async (call) => {
    const { action } = call.body
    await decideChange(call, call.actor, call.settings.fourEyes, call.params.id, action)
    return { message: action === 'confirmed' ? say.changeConfirmed : say.changeRefused }
  })
  serve(app, transfers.withdrawAgencyChange, async ({ db, actor, params }) => {
    await withdrawChange(db, actor, params.id)
    return { message: say.changeWithdrawn }
  })
  serve(app, transfers.createParameter, async (call) => {
    await createParameter(call, call.actor, call.body)
    return { message: say.parameterCreated }
  })
  serve(app, transfers.updateParameter, async ({ db, actor, params, body }) => {
    await setParameterStatus(db, actor, params.id, body.status, body.version)
    return { message: say.parameterUpdated }
  })
  serve(app, transfers.parameters, async ({ db, query }) => ({ parameters: await listParameters(db, query) }))
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
  serve(app, transfers.summary, async ({ db, actor, locale, settings, params, query }) => ({
    cohort: await readSummary(db, actor, locale, settings.fourEyes, params.id, query),
  }))
  serve(app, transfers.flags, async ({ db, params }) => ({ flags: await readFlags(db, params.id) }))
  serve(app, agencyBalance.ask, (call) => askBalance(call, call.locale, call.params.id))
  serve(app, cohortChanges.list, ({ db, params, query }) => readChanges(db, params.id, query))
  serve(app, cohortChanges.export, ({ db, actor, locale, body: { cohort_id } }) =>
    transaction(db, async (tx) => {
      const base = exportName('changes', await cohortName(tx, cohort_id))
      return startExport(tx, actor, locale, cohortChangesExport, { cohort_id }, base)
    }),
  )
  serve(app, cohortAttendance.list, ({ db, params, query }) => readAttendance(db, params.id, query))
  serve(app, cohortAttendance.export, ({ db, actor, locale, body: { cohort_id } }) =>
    transaction(db, async (tx) => {
      const base = exportName('attendance', await cohortName(tx, cohort_id))
      return startExport(tx, actor, locale, cohortAttendanceExport, { cohort_id }, base)
    }),
  )
  serve(app, transfers.progress, async ({ db, params }) => readProgress(db, params.id))
  serve(
    app,
    transfers.decide,
    async ({ db, actor, settings, params, body }) => {
      const made = await decideCohort(db, actor, settings.fourEyes, params.id, body)
      if (made.kind !== 'approved') return { message: made.kind === 'retried' ? say.retried : say.rejected }
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
  serve(app, transfers.startRound, async ({ db, actor, settings, params }) => {
    await startMissedRound(db, actor, settings.fourEyes, params.id, params.n)
    return { message: fillText(say.roundStarted, params.n) }
  })
  serve(app, transfers.payrolls, async (call) => ({
    cohort: await readPayrolls(call, call.params.id, call.query),
  }))
  serve(app, transfers.payroll, async (call) => ({
    payrollGroup: await readPayroll(call, call.params.groupId, call.query),
  }))
  serve(app, transfers.retryPayments, ({ db, actor, settings, body }) =>
    retryPayments(db, actor, settings.fourEyes, body),
  )
  serve(app, transfers.writeOff, ({ db, actor, settings, body }) =>
    writeOffPayments(db, actor, settings.fourEyes, body),
  )
  serve(app, transfers.correctRecipient, async ({ db, actor, settings, params, body }) => {
    await proposeCorrection(db, actor, settings.fourEyes, params.id, body)
    return { message: correctionSay.proposed }
  })
  serve(app, transfers.corrections, async ({ db, actor, locale, settings, query }) => ({
    corrections: await listCorrections({ db, actor, locale, settings }, query),
  }))
  serve(app, transfers.decideCorrection, async (call) => ({
    message: await decideCorrection(call, call.params.id, call.body),
  }))
  serve(app, transfers.withdrawCorrection, async ({ db, actor, params }) => {
    await withdrawCorrection(db, actor, params.id)
    return { message: correctionSay.withdrawn }
  })
  serve(app, paymentExceptions.list, async ({ db, actor, locale, settings, query }) => ({
    exceptions: await listExceptions({ db, actor, locale, fourEyes: settings.fourEyes }, query),
  }))
  serve(app, paymentExceptions.close, async ({ db, actor, settings, params, body }) => {
    await closeException(db, actor, settings.fourEyes, params.id, body)
    return { message: exceptionSay.closed }
  })
  serve(app, transfers.exportCohort, ({ db, actor, locale, body: { cohort_id, ...filters } }) =>
    transaction(db, async (tx) => {
      const base = exportName('master-list', await cohortName(tx, cohort_id))
      return startExport(tx, actor, locale, cohortExport, { cohort_id, ...filters }, base)
    }),
  )
  serve(app, transfers.exportPayroll, ({ db, actor, locale, body: { payroll_id, ...filters } }) =>
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
