import { callbacks } from '@portal/contracts/callbacks'
import { type App, serve } from '../kit/serve.ts'
import { expectReporter, receiveReport } from './callbacks.service.ts'

/** The call by which agencies report payments. It has no session: the agency signs the body (Money 7.8). */
export function callbackRoutes(app: App) {
  serve(
    app,
    callbacks.receive,
    async (call) => ({ asked: await receiveReport(call, call.machine, call.request) }),
    { machine: (request) => expectReporter(app.db, request) },
  )
}
