import { attendanceSheet } from '@portal/contracts/attendance/attendance.sheet'
import { sentence } from '@portal/contracts/imports/import-sentences'
import { folded } from '@portal/contracts/imports/nearest'
import { readCell } from '@portal/contracts/imports/read-cell'
import type { Column } from '@portal/contracts/imports/sheet'
import { fill, say, type Text } from '@portal/contracts/sentences'
import { objectOf } from './adapters/adapter.ts'
import { text } from './messages.ts'

/** The school's data in the register, to fill in what a report leaves out. */
export type KnownSchool = {
  id: number
  teachers: number
  /** Learners by class as `classKey` writes it; under `ALL` those of the whole school. */
  learners: Map<string, number>
}
/** One figure that a message makes: learners of a class, or the teachers of a school. */
export type Figure = {
  school_id: number
  date: string
  who: 'learners' | 'teachers'
  class: string
  enrolled: number
  present: number
  withdrawn: boolean
}
/** The parts of a stored message that its figures depend on. */
export type Message = { entity_type: string; action: string; data: unknown; received_at: string }
/** A fault and its field: a key of the contracts' sentences, or a text of the api. */
export type Fault = { field: string | null; fault: string | Text }

/** Normalises the name of a class: `7 A`, `7a` and `7-A` are the same. */
export const classKey = (name: string) => folded(name).toUpperCase()

const daysBack = 14

/**
 * Returns the figures of a message, or its first fault. They depend only on the message, the day on which it was
 * received and the register, so that a retry at any time gives the same result.
 */
export function readReport(
  { entity_type, action, data, received_at }: Message,
  schools: ReadonlyMap<string, KnownSchool>,
): { figures: Figure[] } | Fault {
  if (entity_type !== 'attendance' && entity_type !== 'teacher_attendance')
    return { field: null, fault: text.noFigures }
  const report = objectOf(data)
  const code = cell('school_admin_code', report.school_admin_code)
  if ('fault' in code) return code
  const school = schools.get(code.value)
  if (!school) return { field: 'school_admin_code', fault: sentence('school_unknown', code.value) }
  const date = readDate(report.date, received_at)
  if ('fault' in date) return date
  const parts = partsOf(entity_type, report)
  if (parts.length === 0) return { field: null, fault: sentence('report_empty') }
  const figures: Figure[] = []
  for (const { who, given } of parts) {
    const named = who === 'learners' ? cell('class', report.class) : { value: '' }
    if ('fault' in named) return named
    if (who === 'learners' && classKey(named.value) === '') return { field: 'class', fault: 'invalid' }
    const key = { school_id: school.id, date: date.value, who, class: classKey(named.value) }
    const counts =
      action === 'delete' ? { enrolled: 0, present: 0 } : readCounts(who, given, key.class, school)
    if ('fault' in counts) return counts
    figures.push({ ...key, ...counts, withdrawn: action === 'delete' })
  }
  return { figures }
}

/** Returns the school code of a message as the register writes it, or undefined. */
export function codeOf(data: unknown): string | undefined {
  const code = cell('school_admin_code', objectOf(data).school_admin_code)
  return 'value' in code ? code.value : undefined
}

type Part = { who: Figure['who']; given: unknown }

/**
 * Returns whether a report is about learners, teachers or both. A withdrawal has no counts: it names teachers by their
 * key, and learners by their class.
 */
function partsOf(entityType: string, report: Record<string, unknown>): Part[] {
  const { learners, teachers } = report
  if (entityType === 'teacher_attendance') return [{ who: 'teachers', given: teachers ?? report }]
  const withLearners = learners !== undefined && learners !== null
  const withTeachers = teachers !== undefined && teachers !== null
  return [
    ...(withLearners || (!withTeachers && 'class' in report)
      ? [{ who: 'learners' as const, given: learners }]
      : []),
    ...(withTeachers ? [{ who: 'teachers' as const, given: teachers }] : []),
  ]
}

/** Returns the day of a report that was received at this moment, or why it is not taken (Messages 2.2). */
export function readDate(written: unknown, received: string): { value: string } | Fault {
  // Some systems send the date with a time. The time is cut off, because its time zone must not move the school day.
  const day = typeof written === 'string' ? written.trim().replace(/[T ]\d{1,2}:\d{2}.*$/, '') : written
  const read = cell('date', day)
  if ('fault' in read) return read
  const today = received.slice(0, 10)
  if (read.value > today) return { field: 'date', fault: 'date_future' }
  const oldest = new Date(Date.parse(`${today}T00:00:00Z`) - daysBack * 86_400_000).toISOString().slice(0, 10)
  return read.value < oldest ? { field: 'date', fault: sentence('report_date_old') } : read
}

function readCounts(
  who: Figure['who'],
  given: unknown,
  ofClass: string,
  school: KnownSchool,
): { enrolled: number; present: number } | Fault {
  const counts = objectOf(given)
  const present = cell(`${who}_present`, counts.present)
  if ('fault' in present) return present
  const known = who === 'teachers' ? school.teachers : school.learners.get(ofClass)
  const written = counts.enrolled ?? (known || undefined)
  if (written === undefined) return { field: `${who}.enrolled`, fault: sentence('report_enrolled_unknown') }
  const enrolled = cell(`${who}_enrolled`, written)
  if ('fault' in enrolled) return enrolled
  if (Number(present.value) > Number(enrolled.value))
    return { field: `${who}.present`, fault: sentence('report_present_more', present.value, enrolled.value) }
  return { enrolled: Number(enrolled.value), present: Number(present.value) }
}

/** Reads a value by the column of the sheet, so that messages and files accept the same. */
function cell(name: keyof typeof attendanceSheet.columns, value: unknown): { value: string } | Fault {
  const column: Column = { ...attendanceSheet.columns[name], past: false }
  const field = /^(?:learners|teachers)_/.test(name) ? name.replace('_', '.') : name
  if (typeof value !== 'string' && typeof value !== 'number')
    return { field, fault: value === undefined || value === null ? 'required' : 'invalid' }
  const read = readCell(column, value)
  if ('problem' in read) return { field, fault: read.problem }
  return read.value === null ? { field, fault: 'required' } : { value: read.value }
}

/** Returns the sentence of a fault in both languages, with its field if there is one. */
export function reasonOf({ field, fault }: Fault): Text {
  const words = typeof fault === 'string' ? { en: say(fault, 'en'), fr: say(fault, 'fr') } : fault
  if (field === null) return words
  return { en: fill(text.fault, 'en', field, words.en), fr: fill(text.fault, 'fr', field, words.fr) }
}
