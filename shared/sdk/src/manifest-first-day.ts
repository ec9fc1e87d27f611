import * as v from 'valibot'
import { Allowed, Label, plainLink } from './manifest-search.ts'

/**
 * A step of the guided first day on the home page: what a new person does or looks at in this module. Without `done` it is
 * done once she has followed its link.
 */
export const FirstDayStep = v.strictObject({
  id: v.pipe(v.string(), v.regex(/^[a-z][a-z0-9-]{0,39}$/, 'A step is named in small letters.')),
  title: Label,
  /** One sentence: what she does there, and why. */
  text: Label,
  /** Whoever has none of these does not have the step. */
  permission: Allowed,
  link: v.pipe(
    v.string(),
    v.regex(plainLink, 'The link of a step is a path of the module without fields: /admin/clinics.'),
  ),
  /** Done by one of these events of hers in the audit log: `{"type": "case", "events": ["opened"]}`. */
  done: v.optional(
    v.strictObject({
      type: v.pipe(v.string(), v.regex(/^[a-z][a-z -]*$/, 'A type is written as in the audit log: case.')),
      events: v.pipe(
        v.array(
          v.pipe(
            v.string(),
            v.regex(/^[a-z][a-z -]*$/, 'An event is written as in the audit log: uploaded.'),
          ),
        ),
        v.minLength(1, 'A step that is done by an event names at least one.'),
      ),
    }),
  ),
  /** The lowest comes first; a person gets the first five of all modules. */
  order: v.pipe(v.number(), v.integer()),
})
export type FirstDayStep = v.InferOutput<typeof FirstDayStep>
