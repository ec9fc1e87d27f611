import { recordTypes } from '@portal/contracts/record-types'
import * as v from 'valibot'
import { Label } from './manifest-search.ts'

/** What the permissions of a resource are about, for the page where roles are made: the part before the dot. */
export const ResourceWords = v.strictObject({
  name: v.pipe(
    v.string(),
    v.regex(/^[a-z][a-z-]*$/, 'A resource is the part of a permission before its dot.'),
  ),
  label: Label,
})

/**
 * A field of a collection's records. `label` is its name in the audit log and in refusals; `values` are those of a closed
 * list. With a `type`, the server checks every record that is saved.
 */
export const RecordField = v.pipe(
  v.strictObject({
    name: v.pipe(v.string(), v.regex(/^[A-Za-z_]\w{0,59}$/, 'A field is named as it is in the records.')),
    label: Label,
    values: v.optional(v.array(v.strictObject({ value: v.string(), label: Label }))),
    type: v.optional(v.picklist(recordTypes)),
    required: v.optional(v.boolean()),
    min: v.optional(v.number()),
    max: v.optional(v.number()),
  }),
  v.check(
    ({ type, min, max }) =>
      type === 'number' || type === 'whole'
        ? (min === undefined) === (max === undefined) && (min ?? 0) <= (max ?? 0)
        : min === undefined && (max === undefined || type === 'text'),
    'A field of type number or whole has both min and max, or neither; one of type text may have max.',
  ),
)
