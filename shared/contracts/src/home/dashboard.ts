import * as v from 'valibot'
import { endpoint } from '../endpoint.ts'
import { Named } from '../registers/register-fields.ts'

const count = v.number()

/** An agency with its part of all money, and how well it pays. Amounts in whole francs. */
export const AgencyFigures = v.object({
  ...Named.entries,
  disbursed: v.number(),
  paid: count,
  /** Payments that it refused and that are not made since, also those written off. */
  refused: count,
  /** A part of 1; null before its first answer. */
  success_rate: v.nullable(v.number()),
  /** Seconds from sending to success in its latest round with a success, the median; null before. */
  seconds_to_pay: v.nullable(v.number()),
})
export type AgencyFigures = v.InferOutput<typeof AgencyFigures>

/** The figures of the dashboard of transfers that no other call has. */
export const dashboard = {
  read: endpoint({
    method: 'GET',
    path: '/admin/transfers/dashboard',
    access: 'transfers.view',
    answer: v.object({
      /** What waits for the reader. Whatever this person may not do counts as none. */
      waits: v.object({
        /** Agencies that settle nothing although payments are open (Money 7.6). */
        not_progressing: v.array(Named),
        /** Statements without open differences that this person may sign. */
        statements: count,
        /** Girls on hold. */
        holds: count,
      }),
      /** All agencies, the one with the most money first. Together they have disbursed what the programme has. */
      agencies: v.array(AgencyFigures),
    }),
  }),
}
