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

/** A field of a collection's records, as the audit log calls it; `values` are those of a closed list. */
export const RecordField = v.strictObject({
  name: v.pipe(v.string(), v.regex(/^[A-Za-z_]\w{0,59}$/, 'A field is named as it is in the records.')),
  label: Label,
  values: v.optional(v.array(v.strictObject({ value: v.string(), label: Label }))),
})
