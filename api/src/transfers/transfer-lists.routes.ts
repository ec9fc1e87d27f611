import { transferLists } from '@portal/contracts/transfers/transfer-lists'
import { transaction } from '../kit/database/db.ts'
import { type App, serve } from '../kit/http/serve.ts'
import { startExport } from '../kit/jobs/exports.ts'
import { exceptionsExport, holdsExport, statementsExport } from './transfer-lists.export.ts'

/** The exports of lists of transfers. */
export function transferListRoutes(app: App) {
  serve(app, transferLists.exceptions, ({ db, actor, locale, body }) =>
    transaction(db, (tx) => startExport(tx, actor, locale, exceptionsExport, body, 'answers-to-look-at')),
  )
  serve(app, transferLists.holds, ({ db, actor, locale, body }) =>
    transaction(db, (tx) => startExport(tx, actor, locale, holdsExport, body, 'girls-on-hold')),
  )
  serve(app, transferLists.statements, ({ db, actor, locale, body }) =>
    transaction(db, (tx) => startExport(tx, actor, locale, statementsExport, body, 'statements')),
  )
}
