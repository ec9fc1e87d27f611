import * as v from 'valibot'
import { itemKinds } from './extensions.ts'
import { Allowed, Label } from './manifest-search.ts'

const Id = v.pipe(v.string(), v.regex(/^[a-z][a-z0-9-]{0,39}$/, 'A tab is named in small letters.'))

/** A tab on the page of a school, a student or a case; `defineModule` has its component under the same names. */
export const ModuleTab = v.strictObject({
  id: Id,
  on: v.picklist(itemKinds, 'A tab is on a school, a student or a case.'),
  title: Label,
  /** Whoever has none of these does not see it. */
  permission: Allowed,
  /** The lowest comes first, after the page's own. */
  order: v.pipe(v.number(), v.integer()),
})
export type ModuleTab = v.InferOutput<typeof ModuleTab>
