import { type AuditLog, auditFieldName } from '@portal/contracts/audit'
import { type AuditedWords, auditPair, auditValueText } from '@portal/contracts/audit/text'
import { currentLocale } from '@portal/i18n/locale'

/** One field of an entry: what stood there before, and what stands there now. */
export type Difference = { field: string; old: unknown; new: unknown }

/** The fields of an entry, each with both sides, in the order in which they were written. */
export function differences({ old_values, new_values }: AuditLog): Difference[] {
  const names = new Set([...Object.keys(new_values ?? {}), ...Object.keys(old_values ?? {})])
  return [...names].map((field) => ({ field, old: old_values?.[field], new: new_values?.[field] }))
}

/** What a type's fields are called, by field. */
export type Words = AuditedWords

/** A field in words. */
export const fieldName = (field: string, words: Words = {}): string =>
  auditFieldName(field, currentLocale(), words)

/** A stored value as a person reads it. */
export const valueText = (value: unknown, field = '', words: Words = {}): string =>
  auditValueText(value, field, currentLocale(), words)

/** A name and what it is, as in `User: Awa Diarra`. */
export const pairText = (name: string, text: string): string => auditPair(name, text, currentLocale())
