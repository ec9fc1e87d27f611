import { cases } from '@portal/contracts/cases'
import { external } from '@portal/contracts/cases/external'
import { fillText } from '@portal/contracts/sentences'
import type { FastifyRequest } from 'fastify'
import { auditRead, auditSearch } from '../kit/audit/reads.ts'
import { acceptFile } from '../kit/files/document-file.ts'
import { type App, serve } from '../kit/http/serve.ts'
import { offerToken } from '../kit/http/session.ts'
import { addActivity, addCaseFile, decideCase, fileCase } from './case-acts.service.ts'
import { assignCase } from './case-assignment.service.ts'
import { readDocument } from './case-documents.service.ts'
import { listCases, readCase } from './cases.service.ts'
import { addConsultantFile, answerConsultation, expectInvite, readConsultation } from './external.service.ts'
import { say } from './messages.ts'
import { referCase, revokeReferral } from './referrals.service.ts'

const inviteOf = (request: FastifyRequest) => {
  const given = request.headers['x-invite']
  return typeof given === 'string' && given !== '' ? given : undefined
}

/** The calls on cases, and the consultant's. */
export function caseRoutes(app: App) {
  serve(app, cases.list, async ({ db, actor, locale, query }) => {
    const found = await listCases(db, actor, locale, query)
    await auditSearch(db, actor, 'case', query.search_term || query.search, found.complains)
    return found
  })
  serve(app, cases.details, async ({ db, actor, locale, params }) => {
    const found = await readCase(db, actor, locale, params.id)
    await auditRead(db, actor, 'opened', 'case', params.id)
    return found
  })
  serve(app, cases.create, async (call) => {
    const complain = await fileCase(call, call.actor, await acceptFile(call.storage, call.body))
    return { complain, message: fillText(say.caseFiled, complain.number) }
  })
  serve(app, cases.addFile, async (call) => {
    await addCaseFile(call, call.actor, await acceptFile(call.storage, call.body))
    return { message: say.documentUploaded }
  })
  serve(app, cases.addActivity, async (call) => {
    await addActivity(call, call.actor, call.body)
    return { message: say.activityRecorded }
  })
  serve(app, cases.decide, async (call) => {
    await decideCase(call, call.actor, call.body)
    return { message: call.body.action === 'resolve' ? say.resolved : say.rejected }
  })
  serve(app, cases.refer, async (call) => {
    await referCase(call, call.actor, await acceptFile(call.storage, call.body))
    return { message: say.referred }
  })
  serve(app, cases.assign, async (call) => {
    await assignCase(call, call.actor, call.params.id, call.body)
    return { message: say.assigned }
  })
  serve(app, cases.revoke, async (call) => {
    await revokeReferral(call, call.actor, call.params.id)
    return { message: say.revoked }
  })
  serve(app, cases.document, ({ db, storage, visitor, author, params, request }) => {
    // The call is open to experts, so it looks at one-time codes itself (Access 1.5).
    const actor = visitor?.totp_needed ? null : visitor
    const reader = { actor, author, invite: inviteOf(request), address: request.ip }
    return readDocument(db, storage, reader, params.id)
  })

  serve(app, external.read, async ({ db, settings, params, request, reply }) => {
    offerToken(settings, request, reply, true)
    return { complainReferral: await readConsultation(db, params.invite, request.ip) }
  })
  const invite = (request: FastifyRequest) => expectInvite(app.db, inviteOf(request) ?? '', request.ip)
  serve(
    app,
    external.addFile,
    async (call) => {
      const visit = { context: call, invite: inviteOf(call.request) ?? '', author: call.author }
      return {
        referral: await addConsultantFile(visit, await acceptFile(call.storage, call.body)),
        message: say.documentUploaded,
      }
    },
    { invite },
  )
  serve(
    app,
    external.answer,
    async (call) => {
      const visit = { context: call, invite: inviteOf(call.request) ?? '', author: call.author }
      const referral = await answerConsultation(visit, await acceptFile(call.storage, call.body))
      return { referral, message: call.body.reject ? say.declineReceived : say.answerReceived }
    },
    { invite },
  )
}
