import { accounting } from '@portal/contracts/transfers/accounting'
import { transaction } from '../../kit/database/db.ts'
import { type App, serve } from '../../kit/http/serve.ts'
import { startExport } from '../../kit/jobs/exports.ts'
import { accountingExport } from './accounting.export.ts'
import { readAccounting } from './accounting.service.ts'

/** The calls on the double-entry view (Money 10.3). */
export function accountingRoutes(app: App) {
  serve(app, accounting.list, ({ db, query }) => readAccounting(db, query))
  serve(app, accounting.export, ({ db, actor, locale, body }) =>
    transaction(db, (tx) => {
      const base = { journal: 'journal', balance: 'trial-balance' }[body.part]
      const period = [body.from, body.to].filter(Boolean).map((day) => `-${day}`)
      return startExport(tx, actor, locale, accountingExport, body, `${base}${period.join('')}`)
    }),
  )
}
