import * as v from 'valibot'
import { endpoint } from '../endpoint.ts'
import { Country, id, instant, listQuery, page, whole } from '../fields.ts'
import { exportStarted, reviewQuery } from '../registers/register-fields.ts'
import { transfers } from '../transfers.ts'
import { CohortUpload } from './cohorts.ts'

/** Whole francs. */
const money = v.number()
const count = v.number()

/** The most schools that a selection names one by one, and that an answer offers. */
export const mostSchools = 200
/** The most class levels of a selection. */
const mostLevels = 50

/**
 * Values of a query that is a list: `3,7,12`, each once, in one order, so that a selection is always written alike. A form
 * sends what it has read, which is the list itself.
 */
const listOf = <Item extends v.GenericSchema<string, string | number>>(item: Item, most: number) =>
  v.optional(
    v.pipe(
      v.union(
        [
          v.pipe(v.string(), v.maxLength(5000, 'too_long|5000')),
          v.pipe(v.array(v.union([v.string(), v.number()])), v.maxLength(most, `too_many_chosen|${most}`)),
        ],
        'choose',
      ),
      v.transform((given) =>
        [
          ...new Set(
            (typeof given === 'string' ? given.split(',') : given.map(String)).filter((part) => part !== ''),
          ),
        ].sort(),
      ),
      v.array(item),
      v.maxLength(most, `too_many_chosen|${most}`),
    ),
  )
const level = v.pipe(v.string(), v.maxLength(100, 'too_long|100'))
const schoolId = v.pipe(v.string(), v.regex(/^[1-9]\d{0,14}$/, 'choose'), v.transform(Number))

/**
 * Which girls of the register a target list is for (Imports 4.5). A condition that is left out is not asked for. Every value
 * is a text of an address, so that a page, a link and a saved selection say the same.
 */
const selectionEntries = {
  country: v.optional(Country, 'ml'),
  region: v.optional(id),
  cap: v.optional(id),
  schools: listOf(schoolId, mostSchools),
  levels: listOf(level, mostLevels),
  /** She has a guardian with a telephone number of the country. */
  guardian: v.optional(v.literal('yes', 'choose')),
  /** She is not on hold. */
  not_held: v.optional(v.literal('yes', 'choose')),
  /** At least so many percent of her class were present, over the last `attendance_days` days. */
  attendance: v.optional(whole(1, 100)),
  attendance_days: v.optional(whole(7, 366), 30),
}
export const Selection = v.object(selectionEntries)
export type Selection = v.InferOutput<typeof Selection>

/** Why a student of the chosen places and levels is not on the list. The first that applies counts. */
export const leftOutReasons = [
  'not_a_girl',
  'no_guardian',
  'no_number',
  'held',
  'attendance_unknown',
  'attendance_low',
] as const
export type LeftOutReason = (typeof leftOutReasons)[number]

/** How many girls remain after each step. */
export const SelectionSteps = v.object({
  country: count,
  place: count,
  schools: count,
  levels: count,
  conditions: count,
})
export type SelectionSteps = v.InferOutput<typeof SelectionSteps>

/** A student of the chosen places and levels who is not on the list. */
export const LeftOut = v.object({
  id: v.number(),
  first_name: v.string(),
  last_name: v.string(),
  student_code: v.string(),
  school_name: v.string(),
  class_level: v.nullable(v.string()),
  reason: v.picklist(leftOutReasons),
})
export type LeftOut = v.InferOutput<typeof LeftOut>

const { target_list_file: _, headings: __, ...form } = CohortUpload.entries
/** The form of an upload, with a selection in place of the file. */
export const SelectionCohort = v.object({ ...form, ...selectionEntries })
export type SelectionCohort = v.InferOutput<typeof SelectionCohort>

/** The query of a page: the selection, and the parameter whose amount is shown. */
const selectionQuery = { ...selectionEntries, transfer_parameter_id: v.optional(id) }

/** The calls on target lists from the register. */
export const targetSelection = {
  /** How many girls remain at each step, and what they are paid per round with the chosen parameter. */
  count: endpoint({
    method: 'GET',
    path: '/admin/transfers/target-selection',
    access: 'cohorts.create',
    query: v.object(selectionQuery),
    answer: v.object({
      steps: SelectionSteps,
      left_out: v.array(v.object({ reason: v.picklist(leftOutReasons), count: count })),
      /** Of one round; null while no parameter is chosen. */
      total: v.nullable(v.object({ amount: money, fees: money })),
      /** Schools of the place with their girls: null where there are more than `mostSchools`. */
      schools: v.nullable(v.array(v.object({ id: v.number(), name: v.string(), girls: count }))),
      /** Class levels of the chosen schools with their girls; '' are those without a level. */
      levels: v.array(v.object({ code: v.string(), girls: count })),
      /** The latest cohort that was made of the same selection, and how many girls have come and gone since. */
      last: v.nullable(
        v.object({ cohort_id: v.number(), name: v.string(), created_at: instant, added: count, gone: count }),
      ),
    }),
  }),
  leftOut: endpoint({
    method: 'GET',
    path: '/admin/transfers/target-selection/left-out',
    access: 'cohorts.create',
    query: listQuery(['last_name', 'student_code'], {
      ...selectionQuery,
      reason: v.optional(v.picklist(leftOutReasons)),
    }),
    answer: v.object({ students: page(LeftOut) }),
  }),
  /** Writes the file and begins its import, exactly as an upload of it does (Imports 4.5). */
  makeCohort: endpoint({
    method: 'POST',
    path: '/admin/transfers/target-selection/cohort',
    access: 'cohorts.create',
    query: reviewQuery,
    body: SelectionCohort,
    answer: transfers.importCohort.answer,
  }),
  /** The same file to keep, without a cohort. */
  export: endpoint({
    method: 'POST',
    path: '/admin/transfers/target-selection/export',
    access: 'cohorts.create',
    body: v.object({
      ...selectionEntries,
      type: v.optional(v.picklist(['mobile_money', 'bank']), 'mobile_money'),
    }),
    answer: exportStarted,
  }),
}
