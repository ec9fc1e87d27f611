import { payeeHolds } from '@portal/contracts/transfers/payee-holds'
import { auditRead, auditSearch } from '../../kit/audit/reads.ts'
import { type App, serve } from '../../kit/http/serve.ts'
import { holdPayee, listPayeeHolds, readPayee, releasePayee } from './payee-holds.service.ts'

/** The calls on payees on hold (Money 4.16). */
export function payeeHoldRoutes(app: App) {
  serve(app, payeeHolds.list, async ({ db, actor, query }) => {
    const holds = await listPayeeHolds(db, query)
    const girls = holds.data.map(({ student_id: id }) => ({ id }))
    await auditSearch(db, actor, 'student', query.search, { data: girls, total: holds.total })
    return { holds }
  })
  serve(app, payeeHolds.payee, async ({ db, actor, params }) => {
    const payee = await readPayee(db, params.id)
    await auditRead(db, actor, 'opened', 'student', params.id)
    return { payee }
  })
  serve(app, payeeHolds.create, ({ db, actor, body }) => holdPayee(db, actor, body))
  serve(app, payeeHolds.release, async ({ db, actor, params }) => ({
    message: await releasePayee(db, actor, params.id),
  }))
}
