import type { DeclaredCollection, DeclaredField } from '@portal/contracts/record-fields'
import type { SchemaChange } from '@portal/contracts/record-types'
import { versionOf } from '@portal/contracts/record-versions'

/** What is known of a field while the changes are followed. `free`: its values are kept, or converted into what is declared. */
type Known = DeclaredField & { free?: boolean | undefined; filled?: boolean | undefined }

/**
 * Whether records that were saved under the fields of one build can be read under those of a later one. Returns a sentence for
 * each field that they cannot be read by, with what to write.
 */
export function faultsOfChanges(before: DeclaredCollection, after: DeclaredCollection): string[] {
  const [from, to] = [versionOf(before), versionOf(after)]
  if (to < from)
    return [
      `${after.name} has version ${to}, and version ${from} is live: go on from there, with "version": ${from} and its "changes".`,
    ]
  const known = new Map<string, Known>((before.fields ?? []).map((field) => [field.name, { ...field }]))
  const faults = (after.changes ?? [])
    .filter((change) => change.to > from)
    .flatMap((change) => follow(known, change, after.name))
  const write = (rule: string) =>
    to > from
      ? `write ${rule} into its change to ${to}`
      : `set "version": ${from + 1} and add ${rule.replace('{', `{"to": ${from + 1}, `)} to "changes"`
  if (faults.length || !isTyped(after)) return faults
  const gone = [...known.keys()].filter((name) => !after.fields?.some((field) => field.name === name))
  return [
    ...gone.map(
      (name) =>
        `${after.name}.${name} is no longer declared, and records have it: ${write(`{"drop": ["${name}"]}`)}, or "rename" with its new name.`,
    ),
    ...(after.fields ?? []).flatMap((field) => {
      const wrong = faultOfField(known.get(field.name), field)
      return wrong
        ? [`${after.name}.${field.name} ${wrong.what}: ${write(wrong.rule)}${wrong.or ?? ''}.`]
        : []
    }),
  ]
}

/** The same for all collections that both builds declare. */
export const faultsOfRecords = (
  before: readonly DeclaredCollection[],
  after: readonly DeclaredCollection[],
): string[] =>
  after.flatMap((collection) => {
    const old = before.find(({ name }) => name === collection.name)
    return old ? faultsOfChanges(old, collection) : []
  })

const isTyped = ({ fields = [] }: DeclaredCollection) => fields.some(({ type }) => type)

/** Follows one change, and says what it names that is not there. */
function follow(known: Map<string, Known>, change: SchemaChange, collection: string): string[] {
  const { drop = [], rename = {}, values = {}, convert = {}, keep = [] } = change
  const named = [...drop, ...Object.keys(rename)]
  const missing = named.filter((name) => !known.has(name))
  for (const name of drop) known.delete(name)
  const renamed = Object.entries(rename).map(([old, name]) => [name, known.get(old)] as const)
  for (const old of Object.keys(rename)) known.delete(old)
  for (const [name, field] of renamed) if (field) known.set(name, { ...field, name })
  for (const [name, words] of Object.entries(values)) {
    const field = known.get(name)
    if (field?.values)
      known.set(name, {
        ...field,
        values: field.values.map(({ value }) => ({ value: words[value] ?? value })),
      })
    else missing.push(name)
  }
  for (const [name, rule] of Object.entries(convert)) {
    const field = known.get(name)
    known.set(name, { ...field, name, type: rule.to, free: true, filled: rule.else !== undefined })
  }
  for (const name of Object.keys(change.default ?? {}))
    known.set(name, { ...(known.get(name) ?? { name, free: true }), filled: true, required: true })
  for (const name of keep) known.set(name, { ...known.get(name), name, free: true, filled: true })
  return missing.map(
    (name) =>
      `${collection}: the change to ${change.to} names ${name}, which version ${change.to - 1} does not have: correct the name.`,
  )
}

type Wrong = { what: string; rule: string; or?: string }

/** What old values of a field lack to be those of the new one, and the rule that helps. */
function faultOfField(old: Known | undefined, field: DeclaredField): Wrong | null {
  const { name, type, required, values } = field
  const wants = `{"default": {"${name}": …}}`
  if (required && !old?.filled && !(old?.required && old.type))
    return {
      what: old
        ? 'is required now, and old records may lack it'
        : 'is new and required, and old records lack it',
      rule: wants,
      or: `, or "keep" with ${name}, or leave "required" out`,
    }
  if (!old || old.free || !type) return null
  const keep = `, or {"keep": ["${name}"]} so that old values stay as they are`
  if (old.type !== type && [old.type, type].includes('picture'))
    return {
      what: `${old.type ? `was of type ${old.type}` : 'had no type'} and is ${type}`,
      rule: `{"drop": ["${name}"]}`,
      or: ' and give the new field another name',
    }
  if (old.type !== type && !(old.type === 'whole' && type === 'number')) {
    const from = old.type ? `"from": "${old.type}", ` : ''
    return {
      what: old.type ? `was of type ${old.type} and is ${type}` : `had no type and is ${type}`,
      rule: `{"convert": {"${name}": {${from}"to": "${type}"}}}`,
      or: keep,
    }
  }
  if (old.to !== field.to)
    return {
      what: `led to a ${old.to} and leads to a ${field.to}`,
      rule: `{"drop": ["${name}"]}`,
      or: ' and give the new field another name',
    }
  const lost = values && lostValues(old, values)
  if (lost?.length)
    return {
      what: `no longer has the value ${lost.join(', ')}`,
      rule: `{"values": {"${name}": {"${lost[0]}": …}}}`,
      or: keep,
    }
  if (isNarrower(old, field))
    return {
      what: 'admits less than before',
      rule: `{"convert": {"${name}": {"from": "${type}", "to": "${type}", "else": …}}}`,
      or: keep,
    }
  return null
}

const lostValues = ({ values }: Known, now: readonly { value: string }[]) =>
  values
    ? values.map(({ value }) => value).filter((value) => !now.some((each) => each.value === value))
    : ['that it had as a free text']

function isNarrower(old: Known, { type, min, max, values }: DeclaredField): boolean {
  if (values) return false
  if (type === 'text') return !old.values && (old.max ?? 1000) > (max ?? 1000)
  const [low, high] = [old.min ?? Number.NEGATIVE_INFINITY, old.max ?? Number.POSITIVE_INFINITY]
  return (min ?? Number.NEGATIVE_INFINITY) > low || (max ?? Number.POSITIVE_INFINITY) < high
}
