import { payeeHolds } from '@portal/contracts/payee-holds'
import { type App, serve } from '../kit/serve.ts'
import { holdPayee, listPayeeHolds, readPayee, releasePayee } from './payee-holds.service.ts'

/** The calls on payees on hold (Money 4.16). */
export function payeeHoldRoutes(app: App) {
  serve(app, payeeHolds.list, async ({ db, query }) => ({ holds: await listPayeeHolds(db, query) }))
  serve(app, payeeHolds.payee, async ({ db, params }) => ({ payee: await readPayee(db, params.id) }))
  serve(app, payeeHolds.create, ({ db, actor, body }) => holdPayee(db, actor, body))
  serve(app, payeeHolds.release, async ({ db, actor, params }) => ({
    message: await releasePayee(db, actor, params.id),
  }))
}
