import { session } from '@portal/contracts/session'
import { type App, serve } from '../kit/serve.ts'
import { offerToken, readSession, setSession } from '../kit/session.ts'
import { msg } from '../messages.ts'
import { sessionAnswer, signIn, signOut } from './sessions.service.ts'

/** The calls of decisions section 2 on sessions. */
export function sessionRoutes(app: App) {
  serve(app, session.read, async ({ settings, visitor, locale, request, reply }) => {
    offerToken(settings, request, reply, true)
    return sessionAnswer(visitor, locale, settings)
  })
  serve(app, session.signIn, async (call) => {
    const { settings, visitor, body, author, locale, request, reply } = call
    const token = await signIn(call, author, visitor, body)
    setSession(settings, reply, token)
    request.cookies.portal_session = token
    const actor = await readSession(call.db, request)
    return { message: msg.signedIn, session: sessionAnswer(actor, locale, settings) }
  })
  serve(app, session.signOut, async ({ db, settings, visitor, reply }) => {
    if (visitor) await signOut(db, visitor)
    setSession(settings, reply, null)
    return { message: msg.signedOut }
  })
}
