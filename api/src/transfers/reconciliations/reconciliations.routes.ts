import { reconciliations } from '@portal/contracts/reconciliations'
import { transaction } from '../../kit/db.ts'
import { startExport } from '../../kit/exports.ts'
import { type App, serve } from '../../kit/serve.ts'
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
