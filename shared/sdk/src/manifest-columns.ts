import * as v from 'valibot'
import { itemKinds } from './extensions.ts'
import { Allowed, Label } from './manifest-search.ts'

/**
 * A column in the lists of schools, students or cases, filled from the module's own records. No code is loaded for it. `by` is
 * the field that says which thing a record is about: its id if the type is whole, or its code (of a case its number) if it is
 * text. The column has the `field` of the newest record, or without `field` how many there are.
 */
export const ModuleColumn = v.strictObject({
  id: v.pipe(v.string(), v.regex(/^[a-z][a-z0-9-]{0,39}$/, 'A column is named in small letters.')),
  on: v.picklist(itemKinds, 'A column is in a list of schools, students or cases.'),
  label: Label,
  /** Whoever has none of these does not see it; each of them reads the collection. */
  permission: Allowed,
  collection: v.string(),
  by: v.string(),
  field: v.optional(v.string()),
  show: v.picklist(
    ['text', 'number', 'date', 'badge'],
    'A column shows a text, a number, a date or a badge.',
  ),
  /** The lowest comes first, after the list's own. */
  order: v.pipe(v.number(), v.integer()),
})
export type ModuleColumn = v.InferOutput<typeof ModuleColumn>
