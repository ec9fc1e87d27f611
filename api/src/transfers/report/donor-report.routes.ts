import { donorReport } from '@portal/contracts/transfers/donor-report'
import { transaction } from '../../kit/database/db.ts'
import { accepted } from '../../kit/http/respond.ts'
import { type App, serve } from '../../kit/http/serve.ts'
import { startExport } from '../../kit/jobs/exports.ts'
import { askForReport, readReport } from './counted-reports.service.ts'
import { donorReportExport } from './donor-report.export.ts'

const countStarted = {
  en: 'The report is being counted.',
  fr: 'Le rapport est en cours de calcul.',
}

/** The calls on the donor's report. */
export function donorReportRoutes(app: App) {
  serve(app, donorReport.read, ({ db, locale, query }) => readReport(db, locale, query))
  serve(app, donorReport.count, async ({ db, actor, locale, body }) => {
    await askForReport(db, actor, locale, body)
    return accepted({ message: countStarted })
  })
  serve(app, donorReport.export, ({ db, actor, locale, body }) =>
    transaction(db, (tx) =>
      startExport(tx, actor, locale, donorReportExport, body, `report-${body.from}-${body.to}`),
    ),
  )
}
