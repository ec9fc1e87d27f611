import * as v from 'valibot'
import { Label } from './manifest-search.ts'

/** The fields in braces of a sentence or a link. */
export const fieldsIn = (template: string): string[] =>
  [...template.matchAll(/\{([^{}]*)\}/g)].map(([, field]) => field ?? '')

const field = String.raw`[A-Za-z_]\w{0,59}`
const sentence = v.pipe(
  v.string(),
  v.regex(
    new RegExp(String.raw`^(?:[^{}\p{C}]|\{${field}\}){1,200}$`, 'u'),
    'A sentence is written with fields of the record in braces: {student} was referred.',
  ),
)

/**
 * A line that the module may put into people's bell, about one of its records. The sentence is declared here; what is sent is
 * the number of a record. `permission` is one of the module's own that reads the collection, and those who hold it get the line.
 */
export const ModuleNotice = v.strictObject({
  id: v.pipe(v.string(), v.regex(/^[a-z][a-z0-9-]{0,39}$/, 'A notice is named in small letters.')),
  /** What happened, without data of the record: a mail says no more. */
  title: Label,
  /** The line in the bell, after the title of the module: `{student} of {school} was referred.` */
  text: v.object({ en: sentence, fr: sentence }),
  permission: v.string(),
  /** Whose records it is about. Whoever may write them may send it. */
  collection: v.string(),
  /** A field of type whole with the id of the one account that gets it. Without it all who hold the permission do. */
  to: v.optional(v.string()),
  /** A page of the module, with the record's number or a field of it in the query: `/admin/clinics?note={id}`. */
  link: v.pipe(
    v.string(),
    v.regex(
      new RegExp(
        String.raw`^(?:\/(?:[a-z0-9-]+|\{id\}))+(?:\?[a-z_]+=(?:[a-z0-9-]|\{${field}\})+(?:&[a-z_]+=(?:[a-z0-9-]|\{${field}\})+)*)?$`,
      ),
      'A link of a notice is a path of the module with {id} in it, or fields of the record in its query: /admin/clinics?search={name}.',
    ),
  ),
})
export type ModuleNotice = v.InferOutput<typeof ModuleNotice>
