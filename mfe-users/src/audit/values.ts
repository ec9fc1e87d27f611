import { t } from '@lingui/core/macro'
import { type AuditLog, auditFieldName, type FieldWords } from '@portal/contracts/audit'
import { formatDate, formatDateTime, formatNumber, nothing } from '@portal/i18n/format'
import { currentLocale } from '@portal/i18n/locale'

/** One field of an entry: what stood there before, and what stands there now. */
export type Difference = { field: string; old: unknown; new: unknown }

/** The fields of an entry, each with both sides, in the order in which they were written. */
export function differences({ old_values, new_values }: AuditLog): Difference[] {
  const names = new Set([...Object.keys(new_values ?? {}), ...Object.keys(old_values ?? {})])
  return [...names].map((field) => ({ field, old: old_values?.[field], new: new_values?.[field] }))
}

/** What a type's fields are called, by field. */
export type Words = Record<string, FieldWords>

/** A field in words. */
export const fieldName = (field: string, words: Words = {}): string =>
  auditFieldName(field, currentLocale(), words)

/** A stored value as a person reads it. */
export function valueText(value: unknown, field = '', words: Words = {}): string {
  const listed = words[field]?.values[String(value)]
  if (listed) return listed[currentLocale()]
  if (value === null || value === undefined || value === '') return nothing
  if (typeof value === 'boolean') return value ? t`yes` : t`no`
  if (typeof value === 'number') return formatNumber(value, Number.isInteger(value) ? 0 : 2)
  if (typeof value === 'string') return dateText(value) ?? value
  if (Array.isArray(value))
    return value.length > 0 ? value.map((each) => valueText(each)).join(', ') : nothing
  const inner = Object.entries(value)
  // What has a name of its own is known by it: a role, an agency.
  const name = inner.find(([key]) => key === 'name')?.[1]
  if (typeof name === 'string') return name
  return inner.map(([key, each]) => `${fieldName(key)}: ${valueText(each, key)}`).join('; ') || nothing
}

function dateText(text: string): string | undefined {
  if (/^\d{4}-\d{2}-\d{2}$/.test(text)) return formatDate(text)
  // As JSON writes it, or as the database does.
  if (/^\d{4}-\d{2}-\d{2}[T ]\d{2}:\d{2}:\d{2}/.test(text)) return formatDateTime(text.replace(/\+00$/, 'Z'))
  return undefined
}
