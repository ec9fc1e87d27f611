import { auditLogs } from '@portal/contracts/audit'
import { type App, serve } from '../kit/http/serve.ts'
import { recordsInWords } from '../modules/module-words.service.ts'
import { readerNow } from './audit-entries.service.ts'
import { exportAudits } from './audit-logs.export.ts'
import { auditChoices, listAudits } from './audit-logs.service.ts'

/** The audit log: who changed what. */
export function auditLogRoutes(app: App) {
  serve(app, auditLogs.list, async ({ registry, actor, locale, query }) =>
    listAudits(app, query, await readerNow(registry, actor, locale)),
  )
  serve(app, auditLogs.filters, async ({ db, registry }) => ({
    ...(await auditChoices(db)),
    records: await recordsInWords(registry),
  }))
  serve(app, auditLogs.export, async ({ db, registry, actor, locale, body }) =>
    exportAudits(db, actor, body, await readerNow(registry, actor, locale)),
  )
}
