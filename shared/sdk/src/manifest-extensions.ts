import * as v from 'valibot'
import { itemFields, itemKinds } from './extensions.ts'
import { Allowed, Label, RowLink } from './manifest-search.ts'

const idOf = (what: string) =>
  v.pipe(v.string(), v.regex(/^[a-z][a-z0-9-]{0,39}$/, `${what} is named in small letters.`))

/** A tab on the page of a school, a student or a case; `defineModule` has its component under the same names. */
export const ModuleTab = v.strictObject({
  id: idOf('A tab'),
  on: v.picklist(itemKinds, 'A tab is on a school, a student or a case.'),
  title: Label,
  /** Whoever has none of these does not see it. */
  permission: Allowed,
  /** The lowest comes first, after the page's own. */
  order: v.pipe(v.number(), v.integer()),
})
export type ModuleTab = v.InferOutput<typeof ModuleTab>

/** An entry in the menu of each row of schools, students or cases: a link to a page of the module. No code is loaded for it. */
export const RowAct = v.pipe(
  v.strictObject({
    id: idOf('An entry of a menu'),
    on: v.picklist(itemKinds, 'An entry is in the menu of a school, a student or a case.'),
    label: Label,
    permission: Allowed,
    /** Below the routes of the module, with what it is told of the row in braces: `/admin/clinics?school={id}`. */
    link: RowLink,
    order: v.pipe(v.number(), v.integer()),
  }),
  v.check(
    ({ on, link }) =>
      [...link.matchAll(/\{([\w.]+)\}/g)].every(([, field]) =>
        (itemFields[on] as readonly string[]).includes(field ?? ''),
      ),
    'A link of a row names id, name or code of a school, id, code or school_id of a student, id or number of a case.',
  ),
)
export type RowAct = v.InferOutput<typeof RowAct>
