import { convertible } from '@portal/contracts/record-types'
import * as v from 'valibot'

const notConverted =
  'A picture is made of no other type and becomes none: drop the field, and give the new one another name.'

const ofFields = <Value extends v.GenericSchema>(value: Value) => v.optional(v.record(v.string(), value))

/**
 * How a record of the version before is read by a build with this version: fields that are gone, renamed, of another type or
 * with other values, and what a record has that has no value. The portal applies it, and not the code of the module.
 */
export const SchemaChange = v.strictObject({
  to: v.pipe(v.number(), v.integer(), v.minValue(2, 'The first change leads to version 2.')),
  drop: v.optional(v.array(v.string())),
  /** The old name, and the new one. */
  rename: ofFields(v.string()),
  /** Values of a closed list: the old one, and the new one. */
  values: ofFields(v.record(v.string(), v.string())),
  /** Another type, `{"from": "text", "to": "whole", "else": 0}`; `else` is for what cannot be read as it. */
  convert: ofFields(
    v.strictObject({
      from: v.optional(v.picklist(convertible, notConverted)),
      to: v.picklist(convertible, notConverted),
      else: v.optional(v.unknown()),
    }),
  ),
  default: ofFields(v.unknown()),
  /** Fields whose old values stay readable, though a new record could not have them. */
  keep: v.optional(v.array(v.string())),
})

/** Versions of the fields of a collection: 1 without any changes, and one more for each of them. */
export const hasEveryChange = (version = 1, changes: readonly { to: number }[] = []) =>
  version === changes.length + 1 && changes.every(({ to }, at) => to === at + 2)
