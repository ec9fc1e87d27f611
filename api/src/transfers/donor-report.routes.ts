import { donorReport } from '@portal/contracts/donor-report'
import { transaction } from '../kit/db.ts'
import { startExport } from '../kit/exports.ts'
import { type App, serve } from '../kit/serve.ts'
import { donorReportExport } from './donor-report.export.ts'
import { readDonorReport } from './donor-report.service.ts'

/** The calls on the donor's report. */
export function donorReportRoutes(app: App) {
  serve(app, donorReport.read, async ({ db, locale, query }) => ({
    report: await readDonorReport(db, locale, query),
  }))
  serve(app, donorReport.export, ({ db, actor, locale, body }) =>
    transaction(db, (tx) =>
      startExport(tx, actor, locale, donorReportExport, body, `report-${body.from}-${body.to}`),
    ),
  )
}
