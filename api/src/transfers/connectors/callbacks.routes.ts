import { callbacks } from '@portal/contracts/callbacks'
import { type App, serve } from '../../kit/serve.ts'
import { expectReporter, receiveReport } from './callbacks.service.ts'

/**
 * The calls by which agencies report payments. They have no session: the agency signs the body, or has the address from
 * the portal (Money 7.8).
 */
export function callbackRoutes(app: App) {
  for (const call of [callbacks.receive, callbacks.receivePut])
    serve(
      app,
      call,
      async (report) => ({ asked: await receiveReport(report, report.machine, report.request) }),
      { machine: (request) => expectReporter(app.db, request) },
    )
}
