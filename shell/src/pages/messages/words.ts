import { msg, t } from '@lingui/core/macro'
import type { LoggedMessage } from '@portal/contracts/attendance/messages'
import { formatDate, formatDateTime, formatNumber, nothing } from '@portal/i18n/format'
import { i18n } from '@portal/sdk'

type Word = ReturnType<typeof msg>

const entities: Record<string, Word> = {
  attendance: msg`Learner attendance`,
  teacher_attendance: msg`Teacher attendance`,
  student: msg`Student`,
  school: msg`School`,
  parent: msg`Parent`,
}
const actions: Record<string, Word> = {
  create: msg({ context: 'of a message', message: 'Create' }),
  update: msg({ context: 'of a message', message: 'Update' }),
  delete: msg({ context: 'of a message', message: 'Delete' }),
}

/** What messages hold, by the names under which it comes. */
const fields: Record<string, Word> = {
  school_admin_code: msg`School ID`,
  date: msg`Date`,
  class: msg`Class`,
  learners: msg`Learners`,
  teachers: msg`Teachers`,
  enrolled: msg`enrolled`,
  present: msg`present`,
  absent_codes: msg`absent students`,
  reported_by: msg`Reported by`,
  channel: msg`Channel`,
  student_code: msg`Student code`,
  current_class_level: msg`Class level`,
}

const wordOf = (words: Record<string, Word>, name: string) => {
  const known = Object.hasOwn(words, name) ? words[name] : undefined
  return known ? i18n._(known) : name.replaceAll('_', ' ')
}

/** What a message speaks of, in words. */
export const entityName = (type: string): string => wordOf(entities, type)
/** What happened to it, in words. */
export const actionName = (action: string): string => wordOf(actions, action)

/** One line of a message's data: the way to it, and what stands there. */
export type Line = { key: string; name: string; text: string }

/** Data as lines of name and value, whatever is nested written out: "Learners, present: 41". */
export function linesOf(data: LoggedMessage['data']): Line[] {
  return inOrder(data).flatMap(([key, value]) => written([key], value))
}

const order = Object.keys(fields)
const placeOf = (key: string) => (order.includes(key) ? order.indexOf(key) : order.length)

/** Which school and which day first, however the device or the database has them. */
const inOrder = (record: Record<string, unknown>) =>
  Object.entries(record).sort(([a], [b]) => placeOf(a) - placeOf(b))

function written(path: string[], value: unknown): Line[] {
  if (isRecord(value) && Object.keys(value).length > 0)
    return inOrder(value).flatMap(([key, inner]) => written([...path, key], inner))
  if (Array.isArray(value) && value.some(isRecord))
    return value.flatMap((inner, at) => written([...path, String(at + 1)], inner))
  return [
    { key: path.join('.'), name: path.map((part) => wordOf(fields, part)).join(', '), text: textOf(value) },
  ]
}

function textOf(value: unknown): string {
  if (Array.isArray(value)) return value.length > 0 ? value.map(textOf).join(', ') : nothing
  if (typeof value === 'boolean') return value ? t`yes` : t`no`
  if (typeof value === 'number') return formatNumber(value, Number.isInteger(value) ? 0 : 2)
  if (typeof value !== 'string' || value === '') return nothing
  if (/^\d{4}-\d{2}-\d{2}$/.test(value)) return formatDate(value)
  if (/^\d{4}-\d{2}-\d{2}T\d{2}:\d{2}/.test(value)) return formatDateTime(value)
  return value
}

const isRecord = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null && !Array.isArray(value)
