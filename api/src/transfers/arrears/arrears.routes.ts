import { arrears } from '@portal/contracts/transfers/arrears'
import { payeePayments } from '@portal/contracts/transfers/payee-payments'
import { auditRead, auditSearch } from '../../kit/audit/reads.ts'
import { transaction } from '../../kit/database/db.ts'
import { type App, serve } from '../../kit/http/serve.ts'
import { startExport } from '../../kit/jobs/exports.ts'
import { readGirlPayments, readGuardianPayments } from '../payments/payee-payments.service.ts'
import { arrearsExport } from './arrears.export.ts'
import { listArrears } from './arrears.service.ts'

/** The calls on arrears, and on all payments of a person. */
export function arrearsRoutes(app: App) {
  serve(app, arrears.list, async ({ db, actor, locale, query }) => {
    const found = await listArrears(db, locale, query)
    await auditSearch(db, actor, 'student', query.search, found.arrears)
    return found
  })
  serve(app, arrears.export, ({ db, actor, locale, body }) =>
    transaction(db, (tx) => startExport(tx, actor, locale, arrearsExport, body, 'arrears')),
  )
  serve(app, payeePayments.ofGirl, async (call) => {
    const found = await readGirlPayments(call, call.params.id, call.query)
    await auditRead(call.db, call.actor, 'opened', 'student', call.params.id)
    return found
  })
  serve(app, payeePayments.ofGuardian, async (call) => {
    const found = await readGuardianPayments(call, call.params.id, call.query)
    await auditRead(call.db, call.actor, 'opened', 'parent', call.params.id)
    return found
  })
}
