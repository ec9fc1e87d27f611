import * as v from 'valibot'
import { Allowed, Label, plainLink } from './manifest-search.ts'

/**
 * A report of the module, which the portal lists with those of others: a page of the module, and the records of a collection as
 * an Excel file.
 */
export const ModuleReport = v.strictObject({
  id: v.pipe(v.string(), v.regex(/^[a-z][a-z0-9-]{0,39}$/, 'A report is named in small letters.')),
  title: Label,
  /** What it answers, in a sentence. */
  text: Label,
  /** Whoever has none of these does not see it; each of them reads the collection. */
  permission: Allowed,
  /** A page below the routes of the module, with what it begins with in its query: `/admin/clinics/report?year=2026`. */
  link: v.pipe(
    v.string(),
    v.regex(plainLink, 'A report is a page of the module: /admin/clinics/report?year=2026.'),
  ),
  /** Whose records are downloaded as Excel beside it, with the filters of the query. */
  collection: v.optional(v.string()),
  /** The lowest comes first. */
  order: v.pipe(v.number(), v.integer()),
})
export type ModuleReport = v.InferOutput<typeof ModuleReport>
