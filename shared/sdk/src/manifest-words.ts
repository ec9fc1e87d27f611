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
