import { actionWords, resourceWords } from '../access/permission-words.ts'
import { roleName } from '../access/role-names.ts'
import { auditFieldName, type FieldWords } from '../audit.ts'
import type { Locale, Text } from '../text.ts'

/** What a type's fields are called, by field. */
export type AuditedWords = Record<string, FieldWords>

/** What stands where there is no value. */
const nothing = '–'
const demoSizes: Record<string, Text> = {
  small: { en: 'small', fr: 'petite' },
  full: { en: 'full', fr: 'complète' },
}
const yesOrNo = { true: { en: 'yes', fr: 'oui' }, false: { en: 'no', fr: 'non' } }
const colon: Text = { en: ': ', fr: ' : ' }
const semicolon: Text = { en: '; ', fr: ' ; ' }

/** A stored value as a person reads it: on the page, in its details and in the Excel of the audit log. */
export function auditValueText(
  value: unknown,
  field: string,
  locale: Locale,
  words: AuditedWords = {},
): string {
  if (value === null || value === undefined || value === '') return nothing
  const listed = words[field]?.values[String(value)]
  if (listed) return listed[locale]
  if (typeof value === 'boolean') return yesOrNo[`${value}`][locale]
  if (typeof value === 'number') return numberText(value, locale)
  if (typeof value === 'string') return namedText(value, field, locale) ?? dateText(value) ?? value
  if (Array.isArray(value))
    return value.map((each) => auditValueText(each, field, locale, words)).join(', ') || nothing
  if (isText(value)) return value[locale]
  const inner = Object.entries(value)
  // What has a name of its own is known by it: a role, an agency, a person; a picture by what is to be seen on it.
  const name = inner.find(([key, each]) => key === 'name' || (key === 'alt' && each))?.[1]
  if (typeof name === 'string') return name
  const pairs = inner.map(([key, each]) =>
    auditPair(auditFieldName(key, locale, words), auditValueText(each, key, locale, words), locale),
  )
  return auditList(pairs, locale) || nothing
}

/** A field with its text, as in a list of them: `date of birth: 03/06/2015`. */
export const auditPair = (name: string, text: string, locale: Locale) => `${name}${colon[locale]}${text}`

/** Several of them in one sentence. */
export const auditList = (texts: readonly string[], locale: Locale) => texts.join(semicolon[locale])

const numberText = (value: number, locale: Locale) =>
  new Intl.NumberFormat(locale === 'fr' ? 'fr-FR' : 'en-US', {
    maximumFractionDigits: 2,
    minimumFractionDigits: Number.isInteger(value) ? 0 : 2,
  }).format(value)

/** What the portal said then, in both languages. */
const isText = (value: object): value is Text =>
  Object.keys(value).length === 2 &&
  'en' in value &&
  'fr' in value &&
  typeof value.en === 'string' &&
  typeof value.fr === 'string'

/** Roles, permissions and the size of a demo stand in the log under the names that the database has. */
function namedText(value: string, field: string, locale: Locale): string | undefined {
  if (field === 'role' || field === 'roles') return roleName(value, locale)
  if (field === 'size') return demoSizes[value]?.[locale]
  if (field !== 'permission' && field !== 'permissions') return undefined
  const [resource = '', action = ''] = value.split('.')
  const about = (resourceWords as Record<string, Text>)[resource]?.[locale]
  const act = (actionWords as Record<string, Text>)[action]?.[locale]
  return about && act && `${about}${colon[locale]}${act}`
}

/** `dd/mm/yyyy`, with `HH:mm` (UTC) of a moment; as JSON writes it, or as the database does. */
function dateText(text: string): string | undefined {
  const [, year, month, day, at] =
    /^(\d{4})-(\d{2})-(\d{2})(?:[T ](\d{2}:\d{2}):\d{2}(?:\.\d+)?(?:Z|\+00(?::?00)?)?)?$/.exec(text) ?? []
  if (!year) return undefined
  return at ? `${day}/${month}/${year} ${at}` : `${day}/${month}/${year}`
}
