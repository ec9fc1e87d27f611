import * as v from 'valibot'
import { endpoint } from './endpoint.ts'

/** Things of the portal that modules add to: their pages, the menus of their rows, the columns of their lists. */
export const listedThings = ['school', 'student', 'case'] as const
export type ListedThing = (typeof listedThings)[number]

/** The ids of a page's rows, `12,13,14`: at most as many as a page has. */
const ids = v.pipe(v.string('required'), v.regex(/^\d{1,15}(?:,\d{1,15}){0,99}$/, 'invalid'))

/** A column of a module: the value of each row that has one; null while its records are being put in order. */
export const ColumnValues = v.object({
  /** `mfe-health:last-visit` */
  key: v.string(),
  values: v.nullable(v.record(v.string(), v.union([v.string(), v.number()]))),
})
export type ColumnValues = v.InferOutput<typeof ColumnValues>

/**
 * What modules have in columns of a list, for the rows of one page. The list is answered without it. Columns whose records the
 * caller may not read are left out. Words are in the caller's language.
 */
export const moduleColumns = {
  read: endpoint({
    method: 'GET',
    path: '/modules/columns',
    access: 'session',
    query: v.object({ on: v.picklist(listedThings, 'choose'), ids }),
    answer: v.object({ columns: v.array(ColumnValues) }),
  }),
}
