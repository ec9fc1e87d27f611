import * as v from 'valibot'
import { endpoint } from '../endpoint.ts'
import { done, instant, listQuery, page } from '../fields.ts'

const count = v.number()
const money = v.number()

/** A round that was open when sending was held. */
export const HeldRound = v.object({
  id: v.number(),
  cohort_id: v.number(),
  cohort_name: v.string(),
  agency_name: v.string(),
  n: v.number(),
  due_on: v.string(),
  entries: count,
  asked: count,
  /** Why its agency cannot be asked about all of it; a person confirms the round then. */
  failure: v.nullable(v.picklist(['cannot_ask', 'unreachable', 'moved'])),
  confirmed: v.boolean(),
})
export type HeldRound = v.InferOutput<typeof HeldRound>

/** How far an agency's own list of payments was read. */
export const HeldList = v.object({
  agency_id: v.number(),
  agency_name: v.string(),
  payments: count,
  state: v.picklist(['reading', 'read', 'no_list', 'unreachable']),
})
export type HeldList = v.InferOutput<typeof HeldList>

/** Why nothing is sent, and how far asking has come. */
export const SendingHold = v.object({
  id: v.number(),
  /** Whole sentences in the person's language. */
  reasons: v.array(v.string()),
  raised_at: instant,
  /** Until when the database is known to go together with what was sent. */
  known_until: instant,
  /** The agencies are asked from here on: an order that had left before may arrive until then. */
  asks_from: instant,
  entries: count,
  asked: count,
  unknown_here: count,
  differs: count,
  learned: count,
  /** Rounds that count as missed once sending is released. */
  to_miss: count,
  /** Why this person cannot release it now; null where they can. */
  barred: v.nullable(v.string()),
  rounds: v.array(HeldRound),
  lists: v.array(HeldList),
})
export type SendingHold = v.InferOutput<typeof SendingHold>

/** What an agency says that the database did not. */
export const HeldDifference = v.object({
  id: v.number(),
  kind: v.picklist(['unknown_here', 'learned', 'differs']),
  agency_name: v.string(),
  payroll_group_id: v.nullable(v.number()),
  receiver: v.nullable(v.string()),
  reference: v.nullable(v.string()),
  external_trx_id: v.nullable(v.string()),
  phone: v.nullable(v.string()),
  amount: v.nullable(money),
  /** What the portal would have paid; null where it knows no such payment. */
  expected: v.nullable(money),
  /** The agency's own word. */
  state: v.string(),
  at: v.nullable(instant),
})
export type HeldDifference = v.InferOutput<typeof HeldDifference>

/** Sending is held after a discontinuity (Money 8.1). */
export const sendingHold = {
  /** `hold` is null while payments go out. */
  read: endpoint({
    method: 'GET',
    path: '/admin/transfers/sending-hold',
    access: 'transfers.view',
    answer: v.object({ hold: v.nullable(SendingHold) }),
  }),
  differences: endpoint({
    method: 'GET',
    path: '/admin/transfers/sending-hold/differences',
    access: 'transfers.view',
    query: listQuery(['at', 'amount'], {
      kind: v.optional(v.picklist(['unknown_here', 'learned', 'differs'])),
    }),
    answer: v.object({ differences: page(HeldDifference) }),
  }),
  /** A person answers for a round whose agency cannot be asked. */
  confirmRound: endpoint({
    method: 'POST',
    path: '/admin/transfers/sending-hold/rounds/:id/confirm',
    access: 'cohorts.approve',
    fresh: true,
    answer: done,
  }),
  release: endpoint({
    method: 'POST',
    path: '/admin/transfers/sending-hold/release',
    access: 'cohorts.approve',
    fresh: true,
    answer: done,
  }),
}
