import { attendance } from '@portal/contracts/attendance'
import { messages } from '@portal/contracts/attendance/messages'
import { takeImport } from '../imports/imports.service.ts'
import { accepted } from '../kit/http/respond.ts'
import { type App, serve } from '../kit/http/serve.ts'
import { attendanceSummary, listSilentSchools } from './attendance.service.ts'
import { receiveMessages } from './incoming.service.ts'
import { listMessages, retryMessage } from './message-log.service.ts'
import { text } from './messages.ts'
import { createToken, listTokens, readToken, revokeToken } from './tokens.service.ts'

/** The calls on the messages of devices, their tokens and attendance (Messages 1.1). */
export function syncRoutes(app: App) {
  serve(
    app,
    messages.sync,
    async ({ db, machine, body, locale }) => accepted(await receiveMessages(db, machine, body, locale)),
    { machine: (request) => readToken(app.db, request) },
  )
  serve(app, messages.list, ({ db, actor, locale, query }) => listMessages(db, actor, locale, query))
  serve(app, messages.retry, async ({ db, actor, params }) => {
    await retryMessage(db, actor, params.id)
    return { message: text.retried }
  })
  serve(app, messages.tokens, async ({ db, query }) => ({ tokens: await listTokens(db, query) }))
  serve(app, messages.createToken, async ({ db, actor, body }) => ({
    message: text.tokenCreated,
    ...(await createToken(db, actor, body.name)),
  }))
  serve(app, messages.revokeToken, async ({ db, actor, params }) => {
    await revokeToken(db, actor, params.id)
    return { message: text.tokenRevoked }
  })

  serve(app, attendance.summary, ({ db }) => attendanceSummary(db))
  serve(app, attendance.silentSchools, async ({ db, query }) => ({
    schools: await listSilentSchools(db, query),
  }))
  serve(app, attendance.import, (call) =>
    takeImport(call, call.actor, {
      kind: 'attendance',
      file: call.body.attendance_file,
      review: call.query.review,
      headings: call.body.headings,
    }),
  )
}
