import * as v from 'valibot'
import { endpoint } from './endpoint.ts'
import { listQuery, page } from './fields.ts'
import { fileBody, importStarted, reviewQuery } from './registers/register-fields.ts'

/** A percentage with one decimal; null where nobody reported. */
const percent = v.nullable(v.number())

/**
 * The attendance dashboard: today's counts, and the days of the current week up to today. `total_teachers` and
 * `total_students` are those reported present today (Messages 2.3); days in UTC, the countries' own time zone.
 */
export const AttendanceSummary = v.object({
  reported_schools: v.number(),
  total_teachers: v.number(),
  total_students: v.number(),
  /** Messages that today's figures rest on: one that was doubled or corrected counts once. */
  total_reports: v.number(),
  /** Every school of the register, to read `reported_schools` against. */
  schools: v.number(),
  /** Monday of this week, and today. */
  current_week: v.object({ from: v.string(), to: v.string() }),
  week_summary: v.array(
    v.object({
      date: v.string(),
      teacher_attendance: percent,
      student_attendance: percent,
      absenteeism_rate: percent,
      reported_schools: v.number(),
    }),
  ),
})
export type AttendanceSummary = v.InferOutput<typeof AttendanceSummary>

/** A school that sent nothing this week. */
export const SilentSchool = v.object({
  id: v.number(),
  name: v.string(),
  admin_code: v.string(),
  admin_district_as_cap: v.nullable(v.string()),
  /** The last day it reported for; null if it never did. */
  last_report: v.nullable(v.string()),
})
export type SilentSchool = v.InferOutput<typeof SilentSchool>

export const attendance = {
  summary: endpoint({
    method: 'GET',
    path: '/home/dashboard/attendance',
    access: 'session',
    answer: AttendanceSummary,
  }),
  silentSchools: endpoint({
    method: 'GET',
    path: '/home/dashboard/attendance/silent',
    access: 'session',
    query: listQuery(['name', 'admin_code', 'last_report']),
    answer: v.object({ schools: page(SilentSchool) }),
  }),
  /** Attendance as a workbook, for schools whose messages do not come through: its rows become messages. */
  import: endpoint({
    method: 'POST',
    path: '/home/attendance/import',
    access: 'sync.manage',
    query: reviewQuery,
    body: fileBody('attendance_file'),
    multipart: true,
    answer: importStarted,
  }),
}
