import { statementReport } from '@portal/contracts/transfers/statement-report'
import { auditRead } from '../../kit/audit/reads.ts'
import { type App, serve } from '../../kit/http/serve.ts'
import { readStatementReport } from './statement-report.service.ts'

/** The report of a statement. */
export function statementReportRoutes(app: App) {
  const { fourEyes } = app.settings
  serve(app, statementReport.read, async (call) => {
    const report = await readStatementReport(call, fourEyes, call.params.id)
    await auditRead(call.db, call.actor, 'opened', 'statement', call.params.id)
    return { report }
  })
}
