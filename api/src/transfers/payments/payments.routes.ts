import { paymentExceptions } from '@portal/contracts/transfers/payment-exceptions'
import { payrolls } from '@portal/contracts/transfers/payrolls'
import { recipientCorrections } from '@portal/contracts/transfers/recipient-corrections'
import { type App, serve } from '../../kit/http/serve.ts'
import { auditPayeeSearch } from '../payee-searches.ts'
import { say as correctionSay } from './correction.messages.ts'
import { say as exceptionSay } from './exception.messages.ts'
import { closeException, listExceptions } from './exceptions.service.ts'
import { retryPayments } from './payment-retry.service.ts'
import {
  decideCorrection,
  listCorrections,
  proposeCorrection,
  withdrawCorrection,
} from './recipient-corrections.service.ts'
import { writeOffPayments } from './write-off.service.ts'

/** The calls on failed payments, corrections of recipients and answers to look at. */
export function paymentRoutes(app: App) {
  serve(app, payrolls.retry, ({ db, actor, settings, body }) =>
    retryPayments(db, actor, settings.fourEyes, body),
  )
  serve(app, payrolls.writeOff, ({ db, actor, settings, body }) =>
    writeOffPayments(db, actor, settings.fourEyes, body),
  )
  serve(app, recipientCorrections.propose, async ({ db, actor, settings, params, body }) => {
    await proposeCorrection(db, actor, settings.fourEyes, params.id, body)
    return { message: correctionSay.proposed }
  })
  serve(app, recipientCorrections.list, async ({ db, actor, locale, settings, query }) => ({
    corrections: await listCorrections({ db, actor, locale, settings }, query),
  }))
  serve(app, recipientCorrections.decide, async (call) => ({
    message: await decideCorrection(call, call.params.id, call.body),
  }))
  serve(app, recipientCorrections.withdraw, async ({ db, actor, params }) => {
    await withdrawCorrection(db, actor, params.id)
    return { message: correctionSay.withdrawn }
  })
  serve(app, paymentExceptions.list, async ({ db, actor, locale, settings, query }) => {
    const exceptions = await listExceptions({ db, actor, locale, fourEyes: settings.fourEyes }, query)
    const payments = exceptions.data.map(({ payroll_id: id }) => ({ id }))
    await auditPayeeSearch(db, actor, query.search, 'payment', { ...exceptions, data: payments })
    return { exceptions }
  })
  serve(app, paymentExceptions.close, async ({ db, actor, settings, params, body }) => {
    await closeException(db, actor, settings.fourEyes, params.id, body)
    return { message: exceptionSay.closed }
  })
}
