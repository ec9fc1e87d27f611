import { randomUUID } from 'node:crypto'
import { type DraftContent, drafts } from '@portal/contracts/drafts'
import { password, session, totp } from '@portal/contracts/session'
import { startAddress } from '../home/start-page.service.ts'
import { transaction } from '../kit/database/db.ts'
import { conflict } from '../kit/http/refusals.ts'
import { type App, type Call, serve } from '../kit/http/serve.ts'
import { offerToken, readSession, sessionCookie, setSession } from '../kit/http/session.ts'
import { msg } from '../messages.ts'
import { dropDraft, keepDraft, readDraft } from './drafts.service.ts'
import { say } from './messages.ts'
import { askReset } from './password-links.service.ts'
import { changePassword, knowsPassword, resetPassword } from './passwords.service.ts'
import { takeAttempt } from './rate-limiter.service.ts'
import { endOwnSession, listSessions, sessionAnswer, signIn, signOut } from './sessions.service.ts'
import { confirmTotp, dropTotp, renewRecoveryCodes, startTotp } from './totp.service.ts'

/** The calls on sessions. */
export function sessionRoutes(app: App) {
  serve(app, session.read, async (call) => {
    const { settings, visitor, request, reply } = call
    offerToken(settings, request, reply, true)
    return sessionAnswer(call, visitor)
  })
  serve(app, session.signIn, async (call) => {
    const { settings, visitor, body, author, request, reply } = call
    // A refusal carries the token too. A new session sets its own over it.
    offerToken(settings, request, reply, true)
    return signedInAnswer(call, await signIn(call, author, visitor, body))
  })
  serve(app, session.signOut, async ({ db, settings, visitor, reply }) => {
    if (visitor) await signOut(db, visitor)
    setSession(settings, reply, null)
    return { message: msg.signedOut }
  })
  serve(app, session.list, async ({ db, actor }) => ({ sessions: await listSessions(db, actor) }))
  serve(app, session.end, async ({ db, settings, actor, params, reply }) => {
    await endOwnSession(db, actor, params.id)
    if (params.id !== actor.session_id) return { message: say.sessionEnded }
    setSession(settings, reply, null)
    return { message: msg.signedOut }
  })
  draftRoutes(app)
  passwordRoutes(app)
  totpRoutes(app)
}

/** Gives the browser its new session and answers with it. */
export async function signedInAnswer(call: Call, token: string) {
  const { settings, request, reply } = call
  setSession(settings, reply, token)
  request.cookies[sessionCookie(settings)] = token
  const actor = await readSession(call, request)
  const start = actor && (await startAddress(call.db, actor.id))
  return { message: msg.signedIn, session: await sessionAnswer(call, actor), start }
}

function draftRoutes(app: App) {
  serve(app, drafts.read, async (call) => ({ draft: await readDraft(call, call.actor, call.query.form) }))
  serve(app, drafts.keep, async (call) => {
    const { form, ...typed } = call.body as DraftContent & { form: string }
    await keepDraft(call, call.actor, form, typed)
    return { message: say.draftKept }
  })
  serve(app, drafts.drop, async ({ db, actor, query }) => {
    await dropDraft(db, actor, query.form)
    return { message: say.draftDropped }
  })
}

function passwordRoutes(app: App) {
  serve(app, password.forgot, async ({ db, settings, author, body }) => {
    // Nobody can guess a secret with this call, so the rate limiter counts by address only. Letters are
    // limited for each account (Access 1.4).
    await takeAttempt(db, { kind: 'forgotten', subject: randomUUID(), address: author.ip ?? '' })
    await askReset({ db, settings }, author, body.email)
    return { message: say.resetSent }
  })
  serve(app, password.reset, async (call) => {
    await resetPassword(call, call.author, call.body)
    return { message: say.passwordSet }
  })
  serve(app, password.change, async (call) => {
    const token = await changePassword(call, call.actor, call.body)
    setSession(call.settings, call.reply, token)
    return { message: say.passwordChanged }
  })
}

function totpRoutes(app: App) {
  serve(app, totp.start, async (call) => ({
    message: say.totpStarted,
    ...(await startTotp(call, call.actor)),
  }))
  serve(app, totp.confirm, async (call) => ({
    message: say.totpOn,
    recovery_codes: await confirmTotp(call, call.actor, call.body.code),
  }))
  serve(app, totp.renew, async (call) => ({
    message: say.codesRenewed,
    recovery_codes: await renewRecoveryCodes(call, call.actor),
  }))
  serve(app, totp.remove, async (call) => {
    const { db, settings, actor, body } = call
    if (actor.totp_required) throw conflict(say.totpStays)
    await knowsPassword(call, actor, body.current_password)
    await transaction(db, (tx) => dropTotp(tx, settings, actor, actor.id))
    return { message: say.totpOff }
  })
}
