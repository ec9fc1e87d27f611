import { cases } from '@portal/contracts/cases'
import { external } from '@portal/contracts/external'
import { type App, serve } from '../kit/serve.ts'
import { offerToken } from '../kit/session.ts'
import { listCases } from './cases.service.ts'
import { readReferral } from './referrals.service.ts'

/** The calls of section 7 on cases, and the consultant's page. */
export function caseRoutes(app: App) {
  serve(app, cases.list, ({ db, actor, locale, query }) => listCases(db, actor, locale, query))
  serve(app, external.read, async ({ db, settings, params, request, reply }) => {
    offerToken(settings, request, reply, true)
    return { complainReferral: await readReferral(db, params.invite, request.ip) }
  })
}
