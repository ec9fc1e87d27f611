import * as v from 'valibot'
import { endpoint } from '../endpoint.ts'
import { id, listQuery, page } from '../fields.ts'

/** A percentage with one decimal; null where nothing is known. */
const percent = v.nullable(v.number())

/**
 * What is known of a class level of a school: the school reported no learners at all, it did but not of the classes of
 * these girls, or their classes were reported.
 */
export const attendanceStates = ['silent', 'unknown', 'reported'] as const
export type AttendanceState = (typeof attendanceStates)[number]

/** Attendance of the girls of a list in one class level of a school. Each girl counts with the figures of her class. */
export const LevelAttendance = v.object({
  id: v.string(),
  school_id: v.number(),
  school_name: v.string(),
  admin_code: v.string(),
  admin_district_as_cap: v.string(),
  /** Empty where the register has none. */
  class_level: v.string(),
  state: v.picklist(attendanceStates),
  /** Girls of the list. */
  girls: v.number(),
  /** Those of whose class no learners were reported. */
  unknown: v.number(),
  /** Share of school days on which the girls' classes were reported. */
  reported: percent,
  /** Share of learners who were present in the girls' classes. */
  present: percent,
  /** The last day for which the school reported learners; null if it never did. */
  last_report: v.nullable(v.string()),
})
export type LevelAttendance = v.InferOutput<typeof LevelAttendance>

/** Attendance of all girls of a list over 30 days: up to today, or up to the day of the decision (Money 5.20). */
export const ListAttendance = v.object({
  from: v.string(),
  to: v.string(),
  /** Days from Monday to Friday before `to` on which at least one school of the country reported learners. */
  school_days: v.number(),
  girls: v.number(),
  unknown: v.number(),
  reported: percent,
  present: percent,
  schools: v.number(),
  silent_schools: v.number(),
  /** Girls of the list in silent schools. */
  silent_girls: v.number(),
  /** The moment of the figures of a large list, which a worker counts; null for those of now. */
  counted_at: v.nullable(v.string()),
})
export type ListAttendance = v.InferOutput<typeof ListAttendance>

/** The calls on the attendance beside approval. They inform and refuse nothing. */
export const cohortAttendance = {
  list: endpoint({
    method: 'GET',
    path: '/admin/transfers/cohorts/:id/attendance',
    access: 'transfers.view',
    query: listQuery(['school_name', 'girls', 'reported', 'present', 'last_report'], {
      state: v.optional(v.picklist(attendanceStates)),
    }),
    answer: v.object({ name: v.string(), attendance: ListAttendance, levels: page(LevelAttendance) }),
  }),
  export: endpoint({
    method: 'POST',
    path: '/admin/transfers/cohorts/attendance/export',
    access: 'cohorts.export',
    body: v.object({ cohort_id: id }),
    answer: v.object({ message: v.string(), file_name: v.string() }),
  }),
}
