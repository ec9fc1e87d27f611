import { partners } from '@portal/contracts/registers-partners'
import { takeImport } from '../imports/imports.service.ts'
import { type App, serve } from '../kit/http/serve.ts'
import { text } from './messages.ts'
import { listPartners, readPartner, updatePartner } from './partners.service.ts'

/** The calls on partners. */
export function partnerRoutes(app: App) {
  serve(app, partners.list, ({ db, locale, query }) => listPartners(db, locale, query))
  serve(app, partners.read, async ({ db, params }) => ({ partner: await readPartner(db, params.id) }))
  serve(app, partners.update, async ({ db, actor, params, body }) => {
    await updatePartner(db, actor, params.id, body)
    return { message: text.partnerUpdated }
  })
  serve(app, partners.import, (call) =>
    takeImport(call, call.actor, {
      kind: 'partners',
      file: call.body.school_partners_file,
      review: call.query.review,
      headings: call.body.headings,
    }),
  )
}
