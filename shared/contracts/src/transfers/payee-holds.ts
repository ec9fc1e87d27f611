import * as v from 'valibot'
import { endpoint } from '../endpoint.ts'
import { day, done, id, instant, listQuery, PersonName, page, required } from '../fields.ts'

/** Whole francs. */
const money = v.number()
const count = v.number()

/** A girl as the screens of holds name her. */
const Payee = v.object({
  student_id: v.number(),
  ...PersonName.entries,
  student_code: v.string(),
  school_name: v.string(),
})

/** A payee on hold: nothing is paid for this girl (Money 4.16). A hold of sending is another thing (Money 8.1). */
export const PayeeHold = v.object({
  id: v.number(),
  ...Payee.entries,
  reason: v.string(),
  case_number: v.nullable(v.string()),
  /** The last day of the hold; null until somebody releases it. */
  ends_on: v.nullable(v.string()),
  user: PersonName,
  created_at: instant,
  released_at: v.nullable(instant),
  /** Null while it stands, and where it ended after its last day. */
  released_by: v.nullable(PersonName),
  /** Her payments that were withheld and are neither made since nor written off. */
  withheld: count,
  withheld_amount: money,
})
export type PayeeHold = v.InferOutput<typeof PayeeHold>

/** A hold of one girl. Without a last day it stands until it is released. */
export const PayeeHoldCreate = v.object({
  student_id: id,
  reason: v.pipe(required, v.maxLength(500, 'too_long|500')),
  case_number: v.optional(v.pipe(v.string(), v.trim(), v.maxLength(50, 'too_long|50'))),
  ends_on: v.optional(v.union([v.literal(''), day])),
})
export type PayeeHoldCreate = v.InferOutput<typeof PayeeHoldCreate>

/** The calls on payees on hold. */
export const payeeHolds = {
  list: endpoint({
    method: 'GET',
    path: '/admin/transfers/payee-holds',
    access: 'transfers.view',
    query: listQuery(['created_at', 'last_name'], {
      state: v.optional(v.picklist(['open', 'ended'])),
      cap: v.optional(id),
      school: v.optional(id),
      student_id: v.optional(id),
      /** Holds that began on this day or later. */
      since: v.optional(day),
    }),
    answer: v.object({ holds: page(PayeeHold) }),
  }),
  /** A girl, as whoever puts her on hold sees her before. */
  payee: endpoint({
    method: 'GET',
    path: '/admin/transfers/payees/:id',
    access: 'holds.manage',
    answer: v.object({
      payee: v.object({
        ...Payee.entries,
        held: v.boolean(),
        /** Her payments that wait to be sent, and those that are at an agency, which a hold does not touch. */
        waiting: count,
        sent: count,
      }),
    }),
  }),
  create: endpoint({
    method: 'POST',
    path: '/admin/transfers/payee-holds',
    access: 'holds.manage',
    body: PayeeHoldCreate,
    answer: v.object({ message: v.string(), withheld: count }),
  }),
  release: endpoint({
    method: 'POST',
    path: '/admin/transfers/payee-holds/:id/release',
    access: 'cohorts.approve',
    fresh: true,
    answer: done,
  }),
}
