import { paymentSettlements } from '@portal/contracts/transfers/payment-settlements'
import { acceptFile } from '../../kit/files/document-file.ts'
import { type App, serve } from '../../kit/http/serve.ts'
import { say } from './payment-settlement.messages.ts'
import {
  decideSettlement,
  listEvidence,
  listSettlements,
  proposeSettlement,
  readSettlementDocument,
  withdrawSettlement,
} from './payment-settlements.service.ts'

/** The calls on outcomes that people settle with evidence. */
export function paymentSettlementRoutes(app: App) {
  serve(app, paymentSettlements.lines, async ({ db, actor, params }) => ({
    lines: await listEvidence(db, actor, params.id),
  }))
  serve(app, paymentSettlements.propose, async (call) => {
    const { db, storage, actor, settings, params, body } = call
    await proposeSettlement(db, actor, settings.fourEyes, params.id, await acceptFile(storage, body))
    return { message: say.proposed }
  })
  serve(app, paymentSettlements.list, async ({ db, actor, locale, settings, query }) => ({
    settlements: await listSettlements({ db, actor, locale, fourEyes: settings.fourEyes }, query),
  }))
  serve(app, paymentSettlements.decide, async ({ db, actor, settings, params, body }) => ({
    message: await decideSettlement(db, actor, settings.fourEyes, params.id, body),
  }))
  serve(app, paymentSettlements.withdraw, async ({ db, actor, params }) => {
    await withdrawSettlement(db, actor, params.id)
    return { message: say.withdrawn }
  })
  serve(app, paymentSettlements.document, (call) => readSettlementDocument(call, call.actor, call.params.id))
}
