import { type DeclaredCollection, fitsField } from './record-fields.ts'
import type { RecordType, SchemaChange } from './record-types.ts'

type Data = Record<string, unknown>

export const versionOf = ({ version = 1 }: DeclaredCollection) => version

/** Since which version a field of a collection has had its name, its type and its values. */
export function sinceOf({ changes = [] }: DeclaredCollection, name: string): number {
  const touching = changes.filter(
    ({ drop = [], rename = {}, values = {}, convert = {}, ...step }) =>
      drop.includes(name) ||
      Object.values(rename).includes(name) ||
      name in values ||
      name in convert ||
      name in (step.default ?? {}),
  )
  return touching.at(-1)?.to ?? 1
}

/**
 * The data of a record as a build reads it. Going to a newer version follows its rules. Going to an older one follows them
 * back: what the older build does not declare is left out, and what was dropped is not there.
 */
export function bring(
  data: Data,
  from: number,
  declared: DeclaredCollection,
  changes: readonly SchemaChange[] = declared.changes ?? [],
): Data {
  const to = versionOf(declared)
  const between = changes.filter(
    (change) => change.to > Math.min(from, to) && change.to <= Math.max(from, to),
  )
  if (from <= to) return readable(declared, between.reduce(forward, data), between)
  const back = between.reduceRight(backward, data)
  const { fields = [] } = declared
  if (!fields.some(({ type }) => type)) return back
  return Object.fromEntries(
    Object.entries(back).filter(([name]) => fields.some((field) => field.name === name)),
  )
}

/** The data to store when a build changes a record of a newer version: what this build does not see stays as it is. */
export function mergeOlder(
  stored: { data: Data; schema: number },
  given: Data,
  declared: DeclaredCollection,
  changes: readonly SchemaChange[],
): Data {
  const newer = { name: declared.name, version: stored.schema, changes }
  const seen = bring(bring(stored.data, stored.schema, declared, changes), versionOf(declared), newer)
  const next = bring(given, versionOf(declared), newer)
  const merged = Object.keys({ ...stored.data, ...next }).map((name) => {
    const same = JSON.stringify(seen[name]) === JSON.stringify(next[name])
    return [name, same ? stored.data[name] : next[name]] as const
  })
  return Object.fromEntries(merged.filter(([, value]) => value !== undefined))
}

function forward(data: Data, change: SchemaChange): Data {
  const { drop = [], rename = {}, values = {}, convert = {} } = change
  const next: Data = {}
  for (const [name, value] of Object.entries(data))
    if (!drop.includes(name)) next[own(rename, name) ?? name] = value
  for (const [name, words] of Object.entries(values)) {
    const value = next[name]
    if (typeof value === 'string') next[name] = own(words, value) ?? value
  }
  for (const [name, { to, ...rule }] of Object.entries(convert)) {
    if (isBlank(next[name])) continue
    const converted = convertValue(next[name], to) ?? rule.else
    if (converted === undefined) delete next[name]
    else next[name] = converted
  }
  for (const [name, value] of Object.entries(change.default ?? {}))
    if (isBlank(next[name])) next[name] = value
  return next
}

function backward(data: Data, { rename = {}, values = {}, convert = {} }: SchemaChange): Data {
  const next = { ...data }
  for (const [name, { from }] of Object.entries(convert)) {
    if (!from || isBlank(next[name])) continue
    const converted = convertValue(next[name], from)
    if (converted === undefined) delete next[name]
    else next[name] = converted
  }
  for (const [name, words] of Object.entries(values))
    next[name] = Object.keys(words).find((word) => words[word] === next[name]) ?? next[name]
  const names = Object.fromEntries(Object.entries(rename).map(([old, name]) => [name, old]))
  const back = Object.entries(next).map(([name, value]) => [own(names, name) ?? name, value] as const)
  return Object.fromEntries(back.filter(([, value]) => value !== undefined))
}

/** Converted values that the fields of today do not admit become what the rule says instead. */
function readable({ fields = [] }: DeclaredCollection, data: Data, changes: readonly SchemaChange[]): Data {
  const rules = new Map(changes.flatMap(({ convert = {} }) => Object.entries(convert)))
  const next = { ...data }
  for (const [name, rule] of rules) {
    const field = fields.find((each) => each.name === name)
    if (!field || isBlank(next[name]) || fitsField(field, next[name])) continue
    if (rule.else === undefined) delete next[name]
    else next[name] = rule.else
  }
  return next
}

const own = <Value>(of: Readonly<Record<string, Value>>, name: string): Value | undefined =>
  Object.hasOwn(of, name) ? of[name] : undefined

const isBlank = (value: unknown) =>
  value === undefined || value === null || (typeof value === 'string' && !value.trim())

const yes = ['true', 'yes', 'oui', '1']
const no = ['false', 'no', 'non', '0']

/** A value as another type has it; undefined if it cannot be read as one. */
function convertValue(value: unknown, to: RecordType): unknown {
  const text =
    typeof value === 'string'
      ? value.trim()
      : typeof value === 'number' || typeof value === 'boolean'
        ? String(value)
        : undefined
  if (text === undefined) return undefined
  if (to === 'boolean')
    return yes.includes(text.toLowerCase()) ? true : no.includes(text.toLowerCase()) ? false : undefined
  if (to === 'day') {
    const [, day, month, year] = /^(\d{2})\/(\d{2})\/(\d{4})$/.exec(text) ?? []
    return year ? `${year}-${month}-${day}` : /^\d{4}-\d{2}-\d{2}/.exec(text)?.[0]
  }
  if (to === 'text') return text
  const number = Number(text.replace(',', '.'))
  if (typeof value === 'boolean' || !Number.isFinite(number)) return undefined
  return to === 'number' ? number : Math.round(number)
}
