import * as v from 'valibot'
import { boundsFit, boundsRule } from './manifest-bounds.ts'
import { Allowed, Label } from './manifest-search.ts'

/** What an event carries: short values, and ids instead of names. */
const EventField = v.pipe(
  v.strictObject({
    name: v.pipe(v.string(), v.regex(/^[A-Za-z_]\w{0,59}$/, 'A field of an event is a plain name.')),
    type: v.picklist(['text', 'number', 'whole', 'boolean', 'day']),
    /** Of a text: one of these. */
    values: v.optional(v.array(v.string())),
    required: v.optional(v.boolean()),
    /** Smallest and largest number; of a text, the most characters. */
    min: v.optional(v.number()),
    max: v.optional(v.number()),
  }),
  v.check((field) => boundsFit(field), boundsRule('field')),
)

/** An event that the module publishes. Modules that name it under `listens` hear it in the same tab. */
export const DeclaredEvent = v.strictObject({
  id: v.pipe(v.string(), v.regex(/^[a-z][a-z0-9-]{0,39}$/, 'An event is named in small letters.')),
  title: Label,
  /** It is carried for people with one of these: whoever may read what it tells. */
  permission: Allowed,
  fields: v.pipe(v.array(EventField), v.maxLength(12, 'An event has at most twelve fields.')),
})
export type DeclaredEvent = v.InferOutput<typeof DeclaredEvent>

/** An event that the module hears: its module, and its name there. */
export const HeardEvent = v.pipe(
  v.string(),
  v.regex(
    /^mfe-[a-z][a-z0-9-]*:[a-z][a-z0-9-]{0,39}$/,
    'An event that is heard is written mfe-clinics:visit-recorded.',
  ),
)
