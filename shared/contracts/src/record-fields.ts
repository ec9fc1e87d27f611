import * as v from 'valibot'
import { day, number } from './fields.ts'
import { Picture } from './record-pictures.ts'
import type { RecordType, Referenced, SchemaChange } from './record-types.ts'

/** A field as the manifest declares it. Without `type`, its value is not checked. */
export type DeclaredField = {
  name: string
  type?: RecordType | undefined
  /** Of a reference: what it is the id of. */
  to?: Referenced | undefined
  required?: boolean | undefined
  /** Smallest number. */
  min?: number | undefined
  /** Largest number, or most characters of a text. */
  max?: number | undefined
  values?: readonly { value: string }[] | undefined
  /** The list can be sorted by it. */
  sort?: boolean | undefined
  /** The list can be filtered by it: by its value, or from a first to a last day. */
  filter?: boolean | undefined
  /** The search looks through these fields alone, as soon as one of them says so. */
  search?: boolean | undefined
}

/** A total as the manifest declares it: how many records, the sum of a number, or both for each value of a field. */
export type DeclaredTotal = { name: string; sum?: string | undefined; by?: string | undefined }

/** A collection as the manifest declares it. */
export type DeclaredCollection = {
  name: string
  /** The version of the fields, 1 at first; `changes` has a rule for each later one. */
  version?: number | undefined
  changes?: readonly SchemaChange[] | undefined
  fields?: readonly DeclaredField[] | undefined
  totals?: readonly DeclaredTotal[] | undefined
}

/** A record as it is stored, and for each faulty field a key of the contracts' sentences. */
export type CheckedRecord = { data: Record<string, unknown>; faults: Record<string, string> }

const longest = 1000

function schemaOf({ type, min, max = longest, values }: DeclaredField): v.GenericSchema<unknown> {
  if (values && type === 'text')
    return v.picklist(
      values.map(({ value }) => value),
      'choose',
    )
  if (type === 'text') return v.pipe(v.string('invalid'), v.trim(), v.maxLength(max, `too_long|${max}`))
  if (type === 'boolean') return v.boolean('boolean')
  if (type === 'day') return day
  if (type === undefined) return v.unknown()
  if (type === 'picture') return Picture
  if (type === 'reference') return v.pipe(number, v.integer('invalid'), v.minValue(1, 'invalid'))
  const bounds = min === undefined ? undefined : `between|${min}|${max}`
  const bounded = bounds ? v.pipe(number, v.minValue(min ?? 0, bounds), v.maxValue(max, bounds)) : number
  return type === 'whole' ? v.pipe(bounded, v.integer('whole')) : bounded
}

/** Whether a field admits a value that is not blank. */
export const fitsField = (field: DeclaredField, value: unknown) => v.is(schemaOf(field), value)

/**
 * Checks a record against the fields that its module declares. As soon as one of them has a type, no other fields are
 * accepted. Numbers that a form sends as text become numbers, and blank ones are left out.
 */
export function checkRecord(fields: readonly DeclaredField[], given: Record<string, unknown>): CheckedRecord {
  if (!fields.some(({ type }) => type)) return { data: given, faults: {} }
  const data: CheckedRecord['data'] = {}
  const faults: CheckedRecord['faults'] = {}
  for (const name of Object.keys(given))
    if (!fields.some((field) => field.name === name)) faults[name] = 'undeclared'
  for (const field of fields) {
    const value = given[field.name]
    const blank = value === undefined || value === null || (typeof value === 'string' && !value.trim())
    if (blank) {
      if (field.required) faults[field.name] = 'required'
      else if (value !== undefined && (value === null || field.type === 'text' || !field.type))
        data[field.name] = value
      continue
    }
    const found = v.safeParse(schemaOf(field), value)
    if (found.success) data[field.name] = found.output
    else faults[field.name] = found.issues[0].message
  }
  return { data, faults }
}
