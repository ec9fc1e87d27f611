import * as v from 'valibot'

/** Text that must hold something; trimmed. */
export const required = v.pipe(
  v.string('required'),
  v.trim(),
  v.nonEmpty('required'),
  v.maxLength(1000, 'too_long|1000'),
)
/** Text of at most 255 characters, as names are. */
export const name = v.pipe(
  v.string('required'),
  v.trim(),
  v.nonEmpty('required'),
  v.maxLength(255, 'too_long|255'),
)
/** E-mail address, lower-cased. */
export const email = v.pipe(
  v.string('required'),
  v.trim(),
  v.nonEmpty('required'),
  v.toLowerCase(),
  v.email('email'),
  v.maxLength(254, 'too_long|254'),
)
/** E-mail address that may be missing: blank and null are none. */
export const optionalEmail = v.pipe(
  v.nullish(v.string('email'), ''),
  v.trim(),
  v.check((text) => text === '' || v.is(email, text), 'email'),
  v.transform((text) => text.toLowerCase() || null),
)
/** The version of the row that the form was opened with (optimistic lock, Registers 1.1); absent, the change overwrites. */
export const version = v.optional(v.nullable(v.number('invalid')))

/** Positive integer id; a form's select sends it as text. */
export const id = v.pipe(
  v.union([v.number(), v.pipe(v.string(), v.regex(/^\d{1,15}$/), v.transform(Number))], 'choose'),
  v.safeInteger('choose'),
  v.minValue(1, 'choose'),
)
/** The rows that somebody has chosen in a list, each once: at most what a person can look over. */
export const chosen = v.pipe(
  v.array(id, 'choose'),
  v.minLength(1, 'choose'),
  v.maxLength(500, 'too_many_chosen|500'),
  v.transform((ids) => [...new Set(ids)].sort((a, b) => a - b)),
)
/** `YYYY-MM-DD`, a day that exists. The database has no year 0. */
export const day = v.pipe(
  v.string('required'),
  v.nonEmpty('required'),
  v.regex(/^\d{4}-\d{2}-\d{2}$/, 'date'),
  v.check((text) => {
    const date = new Date(`${text}T00:00:00Z`)
    return text >= '0001' && !Number.isNaN(date.getTime()) && date.toISOString().startsWith(text)
  }, 'date'),
)
/** A number; forms send it as text, and blank counts as missing. */
export const number = v.pipe(
  v.union(
    [v.number(), v.pipe(v.string(), v.trim(), v.nonEmpty('required'), v.transform(Number))],
    'required',
  ),
  v.number('number'),
  v.finite('number'),
)
/** Whole number between two bounds, both allowed. */
export const whole = (min: number, max: number) =>
  v.pipe(
    number,
    v.integer('whole'),
    v.minValue(min, `between|${min}|${max}`),
    v.maxValue(max, `between|${min}|${max}`),
  )
/** Whole francs (Money 1.1). The upper bound is the server's setting. */
export const francs = v.pipe(number, v.integer('whole_francs'), v.minValue(1, 'amount_positive'))
/** One of a closed list. */
export const oneOf = <const Options extends readonly string[]>(...options: Options) =>
  v.picklist(options, 'choose')

/** A country of the programme, as agencies name it. */
export const Country = oneOf('ml', 'sn')
export type Country = v.InferOutput<typeof Country>

/** A file of a form: the browser's File, or what the server has stored of it. `size` in bytes. */
export type Upload = { name: string; size: number }
/** A file that must be there. */
export const upload = v.custom<Upload>(
  (file) => typeof file === 'object' && file !== null && 'name' in file && 'size' in file,
  'file_required',
)
/** An Excel file; the server looks at the content, this only at the ending. */
export const excelUpload = v.pipe(
  upload,
  v.check((file) => /\.xlsx?$/i.test(file.name), 'excel_only'),
  v.check((file) => file.size <= 20 * 1024 * 1024, 'excel_too_large'),
)

/** ISO 8601 in UTC. */
export const instant = v.string()
/** Who did it: first and last name. */
export const PersonName = v.object({ first_name: v.string(), last_name: v.string() })
export type PersonName = v.InferOutput<typeof PersonName>

/** An answer with a message only. */
export const done = v.object({ message: v.string() })

const pageNumber = v.pipe(v.string(), v.regex(/^[1-9]\d{0,8}$/, 'page'), v.transform(Number))

/** What is searched for in a list. Blank finds everything. */
export const searched = v.optional(v.pipe(v.string(), v.trim(), v.maxLength(200, 'too_long|200')), '')
const paging = {
  page: v.optional(pageNumber, '1'),
  per_page: v.optional(v.pipe(pageNumber, v.maxValue(100, 'per_page')), '15'),
}
function sorting<const Sort extends string>(sort: readonly Sort[]) {
  const fields = sort.flatMap((field) => [field, `-${field}`]) as (Sort | `-${Sort}`)[]
  return { sort: v.optional(v.picklist(fields, 'sort')) }
}
/** `page`, `per_page` (up to 100), `search`, `sort` (`field` or `-field`) and filters of a list (Calls 3.1). */
export const listQuery = <const Sort extends string, Filters extends v.ObjectEntries = Record<never, never>>(
  sort: readonly Sort[],
  filters: Filters = {} as Filters,
) => v.object({ ...paging, search: searched, ...sorting(sort), ...filters })
/** The same of a list that nobody searches. */
export const pageQuery = <const Sort extends string, Filters extends v.ObjectEntries = Record<never, never>>(
  sort: readonly Sort[],
  filters: Filters = {} as Filters,
) => v.object({ ...paging, ...sorting(sort), ...filters })
/** Type of what `pageQuery` reads. */
export type PageQuery = { page: number; per_page: number; sort?: string | undefined }
/** Type of what `listQuery` reads. */
export type ListQuery = PageQuery & { search: string }

/** A list that is narrowed counts no further, and has no page beyond (Calls 3.1). */
export const countedAtMost = 10_000

/** The paged envelope (Calls 3.1). */
export const page = <Item extends v.GenericSchema>(item: Item) =>
  v.object({
    data: v.array(item),
    current_page: v.number(),
    last_page: v.number(),
    per_page: v.number(),
    total: v.number(),
    /** There are more rows than `total`: the list has the first of them only. */
    capped: v.optional(v.boolean()),
  })
/** Type of the paged envelope. */
export type Page<Item> = {
  data: Item[]
  current_page: number
  last_page: number
  per_page: number
  total: number
  capped?: boolean | undefined
}
