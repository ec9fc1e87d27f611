import { reconciliations } from '@portal/contracts/transfers/reconciliations'
import { transaction } from '../../kit/database/db.ts'
import { type App, serve } from '../../kit/http/serve.ts'
import { startExport } from '../../kit/jobs/exports.ts'
import { reconciliationsExport } from './reconciliations.export.ts'
import { listReconciliations } from './reconciliations.service.ts'

/** The calls on reconciliations. */
export function reconciliationRoutes(app: App) {
  serve(app, reconciliations.list, ({ db, query }) => listReconciliations(db, query))
  serve(app, reconciliations.export, ({ db, actor, locale, body }) =>
    transaction(db, (tx) => {
      const period = [body.from, body.to].filter(Boolean).map((day) => `-${day}`)
      return startExport(tx, actor, locale, reconciliationsExport, body, `reconciliations${period.join('')}`)
    }),
  )
}
