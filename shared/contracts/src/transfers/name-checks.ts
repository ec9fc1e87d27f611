import * as v from 'valibot'
import { endpoint } from '../endpoint.ts'
import { done, id, instant, listQuery, name, page, required } from '../fields.ts'
import { NameAnswer, nameStates } from './name-outcomes.ts'

/** A check of a whole list. It goes on when nobody looks. */
export const NameCheck = v.object({
  state: v.picklist(['running', 'finished', 'cancelled', 'failed']),
  total: v.number(),
  done: v.number(),
  /** Rows that the agency gave no answer about. */
  unanswered: v.number(),
  /** It waits, because the agency is busy with payments. */
  waits: v.boolean(),
  /** Why it failed. */
  problem: v.nullable(v.string()),
  created_at: instant,
})
export type NameCheck = v.InferOutput<typeof NameCheck>

/** What is known of the names of a list, without its rows. */
export const NamesOfList = v.object({
  name: v.string(),
  agency: v.string(),
  /** Why the names cannot be checked; null if they can. */
  barred: v.nullable(v.string()),
  /** For how many days an answer of this agency counts; null where it tells no names. */
  fresh_days: v.nullable(v.number()),
  /** Every state, in the order of the sheet. */
  counts: v.array(v.object({ state: v.picklist(nameStates), count: v.number() })),
  /** Answers that are older than that. */
  stale: v.number(),
  answered_at: v.nullable(instant),
  /** The latest check of this list. */
  check: v.nullable(NameCheck),
})
export type NamesOfList = v.InferOutput<typeof NamesOfList>

/** One row of a list and what its agency says of the holder. */
export const ListedName = v.object({
  id: v.number(),
  student_code: v.string(),
  first_name: v.string(),
  last_name: v.string(),
  phone: v.nullable(v.string()),
  state: v.picklist(nameStates),
  /** The name that the agency tells; null if it tells none. */
  holder: v.nullable(v.string()),
  /** Whether the holder's limits allow the amount; null where the agency does not say it. */
  within_limits: v.nullable(v.boolean()),
  answered_at: v.nullable(instant),
})
export type ListedName = v.InferOutput<typeof ListedName>

/** Whose number it would be by a correction. What is left out is as the recipient has it. */
export const NameQuestion = v.object({
  receiver_first_name: v.optional(name),
  receiver_last_name: v.optional(name),
  receiver_phone_number: v.optional(v.pipe(required, v.maxLength(50, 'too_long|50'))),
})
export type NameQuestion = v.InferOutput<typeof NameQuestion>

const path = '/admin/transfers/cohorts/:id/names'
/** Whoever prepares lists, and whoever approves them. */
const preparing = ['cohorts.create', 'cohorts.approve'] as const

/** The calls on names at the agency (Money 5.19). */
export const nameChecks = {
  read: endpoint({ method: 'GET', path, access: 'transfers.view', answer: NamesOfList }),
  list: endpoint({
    method: 'GET',
    path: `${path}/list`,
    access: 'transfers.view',
    query: listQuery(['last_name', 'student_code', 'answered_at'], {
      state: v.optional(v.picklist(nameStates)),
    }),
    answer: v.object({ names: page(ListedName) }),
  }),
  start: endpoint({ method: 'POST', path: `${path}/check`, access: preparing, answer: done }),
  cancel: endpoint({ method: 'POST', path: `${path}/cancel`, access: preparing, answer: done }),
  /** Asks about one recipient, as approved or as a correction would have it. An answer that still counts is given again. */
  ask: endpoint({
    method: 'POST',
    path: '/admin/transfers/master-list/:id/name',
    access: preparing,
    body: NameQuestion,
    answer: NameAnswer,
  }),
  export: endpoint({
    method: 'POST',
    path: '/admin/transfers/cohorts/names/export',
    access: 'cohorts.export',
    body: v.object({ cohort_id: id }),
    answer: v.object({ message: v.string(), file_name: v.string() }),
  }),
}
