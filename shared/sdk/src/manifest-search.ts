import * as v from 'valibot'

/** One permission, or several of which one is enough. */
export const Allowed = v.union([v.string(), v.array(v.string())])

/** A text in both languages. */
export const Label = v.object({
  en: v.pipe(v.string(), v.nonEmpty()),
  fr: v.pipe(v.string(), v.nonEmpty()),
})

const name = String.raw`[a-z]\w*(?:\.[a-z]\w*)*`
const part = String.raw`(?:[a-z0-9+-]|\{${name}\})+`
const searchLink = new RegExp(
  String.raw`^(?:\/(?:[a-z0-9-]+|\{${name}\}))+(?:\?[a-z_]+=${part}(?:&[a-z_]+=${part})*)?$`,
)

/** What a result says: fields of its row in braces, `{name}`; `{from|date}` is written as a day. */
const RowText = v.pipe(
  v.string(),
  v.regex(
    new RegExp(String.raw`^(?:[^{}]|\{${name}(?:\|date)?\}){1,200}$`),
    'A text is written with fields of a row in braces: {name}, {from|date}.',
  ),
)

/** A page of the module, with fields of a row in braces. */
export const RowLink = v.pipe(
  v.string(),
  v.regex(searchLink, 'A link is a path of the module with fields of a row in braces: /admin/clinics/{id}.'),
)

/** A page of the module with what it begins with in its query, without fields of a row. */
export const plainLink = /^(?:\/[a-z0-9-]+)+(?:\?[a-z_]+=[a-z0-9-]+(?:&[a-z_]+=[a-z0-9-]+)*)?$/

/** One template, or several of which the first is used whose fields a row has. */
const oneOf = <Template extends v.GenericSchema<string>>(template: Template) =>
  v.union([template, v.pipe(v.array(template), v.minLength(1))])

const Name = v.pipe(
  v.string(),
  v.regex(/^[a-z][a-z_]{0,39}$/, 'The name of a field is written in small letters.'),
)

/** A list that the portal's search (Ctrl K) asks while somebody types, five rows at a time, always with GET. */
export const SearchSource = v.strictObject({
  id: v.pipe(v.string(), v.regex(/^[a-z][a-z0-9-]{0,39}$/, 'A search source is named in small letters.')),
  title: Label,
  /** Whoever has none of these is not asked for; the server decides again at the call. */
  permission: Allowed,
  icon: v.picklist(['transfers', 'cases', 'schools', 'geo', 'person', 'people', 'modules']),
  /** A list of the server that pages and searches: `/admin/schools/list`, `/modules/mfe-x/records/notes`. */
  call: v.pipe(
    v.string(),
    v.regex(
      /^\/(?:admin|modules)(?:\/[a-z0-9-]+)+$/,
      'A search call is a list of the portal’s server, without a query: /admin/clinics/list.',
    ),
  ),
  /** The parameter that takes what was typed; `search` where it is left out. */
  query: v.optional(Name),
  /** Where the answer has its page of rows: `{"schools": {"data": […]}}`. */
  rows: Name,
  label: oneOf(RowText),
  note: v.optional(oneOf(RowText)),
  link: oneOf(RowLink),
})
export type SearchSource = v.InferOutput<typeof SearchSource>

/**
 * Where things of a kind are shown: to a notification about an import, to a figure of the home page, to an entry of the audit
 * log. What has no page of its own is found in its list, by its code or its name.
 */
export const KindLink = v.strictObject({
  kind: v.pipe(
    v.string(),
    v.regex(
      /^[a-z][a-z-]*\.[a-z][a-z-]*$/,
      'A kind is written in two words with a dot between them: import.clinics.',
    ),
  ),
  link: v.pipe(
    v.string(),
    v.regex(
      /^(?:\/(?:[a-z0-9-]+|\{id\}))+(?:\?[a-z_]+=(?:\{(?:id|code|name)\}|[a-z-]+))?$/,
      'A link is a path of the module with {id} in it, or {code} or {name} in its query: /admin/clinics/import?import={id}.',
    ),
  ),
})
export type KindLink = v.InferOutput<typeof KindLink>
