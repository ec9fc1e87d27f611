import { callbacks } from '@portal/contracts/transfers/callbacks'
import type { FastifyRequest } from 'fastify'
import { type App, type Call, serve } from '../../kit/http/serve.ts'
import { expectReporter, receiveReport } from './callbacks.service.ts'

/**
 * The calls by which agencies report payments. They have no session: the agency signs the body, or has the address from
 * the portal (Money 7.8).
 */
export function callbackRoutes(app: App) {
  const machine = (request: FastifyRequest) => expectReporter(app.db, request)
  const receive = (report: Call) => receiveReport(report, report.machine, report.request)
  serve(app, callbacks.receive, async (report) => ({ asked: await receive(report) }), { machine })
  serve(app, callbacks.receivePut, (report) => receive(report).then(() => null), { machine })
}
