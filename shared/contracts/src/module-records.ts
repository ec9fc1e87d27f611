import * as v from 'valibot'
import { endpoint } from './endpoint.ts'
import { done, id, instant, listQuery, page, searched } from './fields.ts'
import { columnKinds } from './imports/sheet.ts'
import { pictureCalls } from './record-pictures.ts'
import { convertible, recordTypes, referenced } from './record-types.ts'
import { exportStarted, fileBody, importStarted, reviewQuery } from './registers/register-fields.ts'

const text = (max: number) => v.pipe(v.string('required'), v.maxLength(max, `too_long|${max}`))

/** A row that a partner's module keeps in the portal; `data` is the module's own, at most 20 KB. */
export const ModuleRecord = v.object({
  id: v.number(),
  data: v.record(v.string(), v.unknown()),
  version: v.number(),
  created_at: instant,
  updated_at: instant,
  user: v.object({ first_name: v.string(), last_name: v.string() }),
  /** What fields of type reference refer to; null for what the caller may not see, and for what is gone. */
  references: v.optional(v.record(v.string(), v.nullable(v.object({ code: v.string(), name: v.string() })))),
})
export type ModuleRecord = v.InferOutput<typeof ModuleRecord>

/** A record that was made or changed, as it is now; null for one that was deleted. */
export const RecordChange = v.object({ id: v.number(), at: instant, record: v.nullable(ModuleRecord) })
export type RecordChange = v.InferOutput<typeof RecordChange>

const moment = String.raw`[12]\d{3}-\d\d-\d\dT\d\d:\d\d:\d\d(?:\.\d{1,6})?Z`
/** A moment in UTC, or `next` of the response before. */
const since = v.pipe(
  v.string(),
  v.regex(new RegExp(String.raw`^${moment}(?:~\d{1,15}(?:~${moment})?)?$`), 'invalid'),
)

/** What a field of type reference may lead to, as a person tells it apart: a student has her school beside her, a school its CAP. */
export const Referable = v.object({
  id: v.number(),
  code: v.string(),
  name: v.string(),
  place: v.nullable(v.string()),
})
export type Referable = v.InferOutput<typeof Referable>

/** What was typed, or the id of one thing whose name is asked for. */
export const referencesQuery = v.object({
  search: searched,
  id: v.optional(id),
})
/** The first ten things that match, and whether there are more. */
export const ReferencesFound = v.object({ things: v.array(Referable), more: v.boolean() })

/** Filters are those of the collection's manifest; the server refuses others. */
const filters = text(255)
const { sort: _, ...paging } = listQuery([]).entries
const value = v.nullable(v.union([v.string(), v.number(), v.boolean()]))
const counts = { count: v.number(), sum: v.nullable(v.number()) }

/** How many records there are, their sum, and both for each value of a field, the most frequent first. */
export const RecordTotals = v.object({ ...counts, groups: v.array(v.object({ value, ...counts })) })

const Words = v.object({ en: v.string(), fr: v.string() })
const example = v.union([v.string(), v.number()])
const texts = v.array(v.string())
const flag = v.optional(v.boolean())
const quantity = v.optional(v.number())

/** The Excel sheet of a collection's records, as its manifest has it: a `Sheet`. */
export const RecordSheet = v.object({
  name: v.string(),
  field: v.string(),
  title: Words,
  columns: v.record(
    v.string(),
    v.object({
      label: Words,
      headings: texts,
      required: v.boolean(),
      example: v.tuple([example, example]),
      help: Words,
      kind: v.picklist(columnKinds),
      options: v.optional(texts),
      words: v.optional(v.record(v.string(), texts)),
      worded: flag,
      lines: flag,
      min: quantity,
      max: quantity,
      longest: quantity,
    }),
  ),
})
export type RecordSheet = v.InferOutput<typeof RecordSheet>

/**
 * Records of a module that has no server of its own, in collections that its manifest declares with the permissions to
 * read and to write, and with what they can be sorted and filtered by. A change needs the version it was made from: 409 when
 * it has changed meanwhile.
 */
export const moduleRecords = {
  list: endpoint({
    method: 'GET',
    path: '/modules/:module/records/:collection',
    access: 'session',
    query: v.objectWithRest({ ...paging, sort: v.optional(text(61)) }, filters),
    answer: v.object({ records: page(ModuleRecord) }),
  }),
  /**
   * For a server that keeps a copy: what has changed since a moment, in the order in which it changed, at most 100 at a time; without
   * `since` all records. `next` is `since` of the next call, at once if there is `more`.
   */
  changes: endpoint({
    method: 'GET',
    path: '/modules/:module/records/:collection/changes',
    access: 'session',
    query: v.object({ since: v.optional(since) }),
    answer: v.object({ changes: v.array(RecordChange), next: v.string(), more: v.boolean() }),
  }),
  totals: endpoint({
    method: 'GET',
    path: '/modules/:module/records/:collection/totals',
    access: 'session',
    query: v.objectWithRest({ total: text(60), search: paging.search }, filters),
    answer: v.object({ totals: RecordTotals }),
  }),
  /** The things to choose from for a field of type reference: of its kind, and only what the person may see. */
  references: endpoint({
    method: 'GET',
    path: '/modules/:module/records/:collection/references/:field',
    access: 'session',
    query: referencesQuery,
    answer: ReferencesFound,
  }),
  /** The records that search and filters leave, as an Excel file. */
  export: endpoint({
    method: 'POST',
    path: '/modules/:module/records/:collection/export',
    access: 'session',
    body: v.objectWithRest({ search: paging.search }, filters),
    answer: exportStarted,
  }),
  /**
   * What is needed to import records from Excel, for whoever may write them: the sheet, as the live manifest has it or as it was
   * when `import` was uploaded, and the page of the module to go back to.
   */
  importing: endpoint({
    method: 'GET',
    path: '/modules/:module/records/:collection/import',
    access: 'session',
    query: v.object({ import: v.optional(id) }),
    answer: v.object({ sheet: RecordSheet, back: v.object({ to: v.string(), label: Words }) }),
  }),
  /** The sheet as an Excel file, with the words of each column in both languages. */
  sample: endpoint({
    method: 'GET',
    path: '/modules/:module/records/:collection/import/sample.xlsx',
    access: 'session',
    answer: v.unknown(),
  }),
  /** Records out of an Excel file: an import, as those of registers. */
  import: endpoint({
    method: 'POST',
    path: '/modules/:module/records/:collection/import',
    access: 'session',
    query: reviewQuery,
    body: fileBody('records_file'),
    multipart: true,
    answer: importStarted,
  }),
  /**
   * A picture for a field of type picture: its number is put into the record, which is saved after it. One that no record gets
   * is deleted. The same file sent twice is one picture.
   */
  sendPicture: endpoint({
    method: 'POST',
    path: '/modules/:module/records/:collection/pictures',
    access: 'session',
    body: pictureCalls.body,
    multipart: true,
    answer: pictureCalls.sent,
  }),
  /** A picture of a record, or one's own that is in none yet, as a JPEG. */
  picture: endpoint({
    method: 'GET',
    path: '/modules/:module/records/:collection/pictures/:picture',
    access: 'session',
    query: pictureCalls.query,
    answer: v.unknown(),
  }),
  create: endpoint({
    method: 'POST',
    path: '/modules/:module/records/:collection',
    access: 'session',
    body: v.object({ data: v.record(v.string(), v.unknown(), 'required') }),
    answer: v.object({ message: v.string(), record: ModuleRecord }),
  }),
  update: endpoint({
    method: 'PUT',
    path: '/modules/:module/records/:collection/:id',
    access: 'session',
    body: v.object({ data: v.record(v.string(), v.unknown(), 'required'), version: v.number('number') }),
    answer: v.object({ message: v.string(), record: ModuleRecord }),
  }),
  remove: endpoint({
    method: 'DELETE',
    path: '/modules/:module/records/:collection/:id',
    access: 'session',
    answer: done,
  }),
}

const allowed = v.union([text(80), v.pipe(v.array(text(80)), v.maxLength(20, 'too_long|20'))])
const few = <S extends v.GenericSchema>(item: S) => v.pipe(v.array(item), v.maxLength(60, 'too_long|60'))
const DeclaredWords = v.object({ en: text(200), fr: text(200) })
const yes = v.optional(v.boolean('boolean'))
const ofFields = <S extends v.GenericSchema>(value: S) => v.optional(v.record(text(60), value))

/** How records of the version before are read, as the manifest says it. */
const SchemaChange = v.object({
  to: v.number('number'),
  drop: v.optional(few(text(60))),
  rename: ofFields(text(60)),
  values: ofFields(v.record(v.string(), text(200))),
  convert: ofFields(
    v.object({
      from: v.optional(v.picklist(convertible, 'choose')),
      to: v.picklist(convertible, 'choose'),
      else: v.optional(v.unknown()),
    }),
  ),
  default: ofFields(v.unknown()),
  keep: v.optional(few(text(60))),
})

/** A collection of a module that is not published yet, as the manifest of its build declares it. */
export const SandboxCollection = v.object({
  name: text(40),
  read: allowed,
  write: allowed,
  fields: v.optional(
    few(
      v.object({
        name: text(60),
        label: DeclaredWords,
        values: v.optional(few(v.object({ value: text(200), label: DeclaredWords }))),
        type: v.optional(v.picklist(recordTypes, 'choose')),
        to: v.optional(v.picklist(referenced, 'choose')),
        required: yes,
        min: v.optional(v.number('number')),
        max: v.optional(v.number('number')),
        sort: yes,
        filter: yes,
        search: yes,
      }),
    ),
  ),
  version: v.optional(v.number('number')),
  changes: v.optional(few(SchemaChange)),
  totals: v.optional(few(v.object({ name: text(60), sum: v.optional(text(60)), by: v.optional(text(60)) }))),
})
export type SandboxCollection = v.InferOutput<typeof SandboxCollection>

/**
 * The sandbox of a person whose browser takes a module from a developer's machine. While it does, the calls of
 * `moduleRecords` read and write there, and never the live records. Everywhere else these calls are 404.
 */
export const moduleSandboxes = {
  open: endpoint({
    method: 'POST',
    path: '/modules/:module/sandbox',
    access: 'session',
    body: v.object({ collections: few(SandboxCollection) }),
    answer: v.object({ message: v.string(), records: v.number() }),
  }),
  empty: endpoint({ method: 'DELETE', path: '/modules/:module/sandbox', access: 'session', answer: done }),
}
