import { accounting } from '@portal/contracts/accounting'
import { transaction } from '../../kit/db.ts'
import { startExport } from '../../kit/exports.ts'
import { type App, serve } from '../../kit/serve.ts'
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
