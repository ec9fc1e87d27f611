import * as v from 'valibot'
import { endpoint } from '../endpoint.ts'

/** An agency reports that something happened to a payment. Its protocol decides the form. */
const AgencyReport = v.record(v.string(), v.unknown())

const report = {
  path: '/callbacks/:agency',
  access: 'signed',
  body: AgencyReport,
  bodyLimit: 16 * 1024,
} as const

export const callbacks = {
  /**
   * Wakes the query of the payments that the report names (Money 7.8). Nothing else of it is believed. `asked` is how
   * many are queried earlier because of it.
   */
  receive: endpoint({ method: 'POST', ...report, answer: v.object({ asked: v.number() }) }),
  /**
   * The same of an agency that puts its reports to an address which the portal made for the payment. The GSMA Mobile Money API
   * wants 204, and nothing else, for a report that was received.
   */
  receivePut: endpoint({ method: 'PUT', ...report, answer: v.null() }),
}
