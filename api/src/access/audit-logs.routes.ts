import { auditLogs } from '@portal/contracts/audit'
import { type App, serve } from '../kit/serve.ts'
import { exportAudits } from './audit-logs.export.ts'
import { auditChoices, listAudits } from './audit-logs.service.ts'

/** The audit log: who changed what. */
export function auditLogRoutes(app: App) {
  serve(app, auditLogs.list, ({ db, actor, query }) => listAudits(db, query, actor.can('students.sensitive')))
  serve(app, auditLogs.filters, ({ db }) => auditChoices(db))
  serve(app, auditLogs.export, ({ db, actor, locale, body }) => exportAudits(db, actor, locale, body))
}
