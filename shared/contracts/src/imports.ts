import * as v from 'valibot'
import { endpoint } from './endpoint.ts'
import { done, instant, listQuery, oneOf, PersonName, page, pageQuery } from './fields.ts'
import { Headings } from './imports/headings.ts'
import type { importSentences } from './imports/import-sentences.ts'
import { longestText } from './imports/sheet.ts'
import { correctionsLimit } from './limits.ts'

/** What comes in by Excel, in a sheet that the portal itself declares. */
export const sheetKinds = [
  'locations',
  'schools',
  'partners',
  'teachers',
  'students',
  'parents',
  'target-list',
  'attendance',
] as const
export type SheetKind = (typeof sheetKinds)[number]
/** Records of modules too: their manifests declare the sheets. */
export const importKinds = [...sheetKinds, 'module-records'] as const
export type ImportKind = (typeof importKinds)[number]

/** `queued → reading → (review →) importing → imported`; `failed` and `cancelled` are final too. */
export const importStates = [
  'queued',
  'reading',
  'review',
  'importing',
  'imported',
  'failed',
  'cancelled',
] as const
export type ImportState = (typeof importStates)[number]

/** One cell that was refused; `row` as the spreadsheet numbers it. */
export const ImportError = v.object({
  row: v.number(),
  column: v.string(),
  value: v.nullable(v.string()),
  message: v.string(),
})
export type ImportError = v.InferOutput<typeof ImportError>

/** An import as the page that waits for it reads it: `rows_imported` = new + changed + unchanged (Imports 2.3). */
export const Import = v.object({
  id: v.number(),
  kind: v.picklist(importKinds),
  state: v.picklist(importStates),
  file_name: v.string(),
  rows_read: v.number(),
  rows_new: v.number(),
  rows_changed: v.number(),
  rows_unchanged: v.number(),
  rows_duplicate: v.number(),
  rows_rejected: v.number(),
  rows_imported: v.number(),
  /** Why the whole import failed, or why it stands in review again, in the reader's language. */
  problem: v.nullable(v.string()),
  /** The cohort a target list belongs to; null for every other kind, and once the cohort went with its import. */
  cohort_id: v.nullable(v.number()),
  user: v.nullable(PersonName),
  /** Headings that the uploader named, with their columns; '' where one was left out. */
  headings: Headings,
  created_at: instant,
  finished_at: v.nullable(instant),
  /** The first 100. */
  errors: v.array(ImportError),
})
export type Import = v.InferOutput<typeof Import>

/** The categories of an import's rows. Unchanged rows are only counted. */
const rowCategories = ['new', 'changed', 'duplicate', 'rejected'] as const
export type RowCategory = (typeof rowCategories)[number]

/** Somebody in the register, with no more than tells people apart. */
export const FoundPerson = v.object({ code: v.string(), name: v.string(), place: v.string() })
export type FoundPerson = v.InferOutput<typeof FoundPerson>

/** Somebody who may be the person of a row: in the register, or in the row `twin` of the same file. */
export const LikelyPerson = v.object({ ...FoundPerson.entries, twin: v.nullable(v.number()) })
export type LikelyPerson = v.InferOutput<typeof LikelyPerson>

/** A row of the file with its category, cells by the sheet's column keys as they stand in the file. */
export const ImportRow = v.object({
  row: v.number(),
  kind: v.picklist(rowCategories),
  cells: v.record(v.string(), v.nullable(v.string())),
  /** Of a changed row: what is stored now and what it becomes, cell by cell. */
  changes: v.array(
    v.object({ column: v.string(), old_value: v.nullable(v.string()), new_value: v.nullable(v.string()) }),
  ),
  /** Of a rejected row. */
  errors: v.array(ImportError),
  /** Of a duplicate: the row of the file that it repeats. */
  same_as: v.nullable(v.number()),
  /** Of a new row: who of the register or of the file may be the same person under another code; three at most. */
  likely: v.array(LikelyPerson),
})
export type ImportRow = v.InferOutput<typeof ImportRow>

/** Rejected rows by column and reason, most frequent first. `reason` is what `rows` takes to list the group's rows. */
export const RejectedGroup = v.object({
  column: v.string(),
  reason: v.string(),
  message: v.string(),
  count: v.number(),
  /** The first ten. */
  samples: v.array(v.object({ row: v.number(), value: v.nullable(v.string()), message: v.string() })),
})
export type RejectedGroup = v.InferOutput<typeof RejectedGroup>

/** A cell put right in the grid. It can have as much as the longest texts of a file. */
export const Correction = v.object({
  row: v.pipe(v.number('invalid'), v.integer('invalid'), v.minValue(1, 'invalid')),
  column: v.pipe(v.string('invalid'), v.maxLength(100, 'invalid')),
  value: v.nullable(v.pipe(v.string('invalid'), v.maxLength(longestText, `too_long|${longestText}`))),
})
export type Correction = v.InferOutput<typeof Correction>

/** A value put right in every rejected row that has it in that column. */
export const Replacement = v.object({
  column: v.pipe(v.string('invalid'), v.maxLength(100, 'invalid')),
  old_value: v.pipe(v.string('invalid'), v.maxLength(longestText, `too_long|${longestText}`)),
  value: Correction.entries.value,
})
export type Replacement = v.InferOutput<typeof Replacement>

const atMost5000 = <Item extends v.GenericSchema>(item: Item) =>
  v.optional(v.pipe(v.array(item, 'invalid'), v.maxLength(5000, 'too_many_corrections')), [])

/** Reasons for which a row is rejected until somebody confirms that it is right (Imports 3.8). */
export const doubts = ['age_unusual'] as const satisfies (keyof typeof importSentences)[]
/** Whether a rejection, by its reason or its sentence for `say`, is one that somebody may confirm. */
export const isDoubt = (message: string) =>
  (doubts as readonly string[]).includes(message.split('|')[0] ?? '')

/** What somebody changes in a review; at most 5,000 cells and rows at once. */
export const Corrections = v.object({
  corrections: atMost5000(Correction),
  replacements: atMost5000(Replacement),
  /** Rows that are not imported although they could be. They stand among the rejected ones. */
  leave_out: atMost5000(Correction.entries.row),
  /** Rows that were left out, and are imported after all. */
  take_back: atMost5000(Correction.entries.row),
  /** Rows of which every other row with the same key is left out. */
  keep: atMost5000(Correction.entries.row),
  /** Rows whose doubt somebody confirms: they are right as they stand. */
  confirm: atMost5000(Correction.entries.row),
  /** Rows that are no longer confirmed. */
  unconfirm: atMost5000(Correction.entries.row),
  /** Reasons of which every row is confirmed. */
  confirm_all: atMost5000(oneOf(...doubts)),
})
export type Corrections = v.InferOutput<typeof Corrections>
const text = v.optional(v.pipe(v.string(), v.maxLength(200, 'too_long|200')))
/** A kind of import, and for records of a module their collection. */
const kindOf = { kind: oneOf(...importKinds), module: text, collection: text }

/** The calls on imports; who may is decided by the import's kind. */
export const imports = {
  list: endpoint({
    method: 'GET',
    path: '/imports',
    access: 'session',
    query: pageQuery(['created_at'], kindOf),
    answer: v.object({ imports: page(Import) }),
  }),
  /** What this person, or somebody of the same partner, named headings of earlier files of a kind. */
  headings: endpoint({
    method: 'GET',
    path: '/imports/headings',
    access: 'session',
    query: v.object(kindOf),
    answer: v.object({ headings: Headings }),
  }),
  read: endpoint({
    method: 'GET',
    path: '/imports/:id',
    access: 'session',
    answer: v.object({ import: Import }),
  }),
  rejected: endpoint({
    method: 'GET',
    path: '/imports/:id/rejected.xlsx',
    access: 'session',
    answer: v.unknown(),
  }),
  file: endpoint({ method: 'GET', path: '/imports/:id/file', access: 'session', answer: v.unknown() }),
  /** The rows of a category, page by page, in the file's order; `column` and `reason` narrow the rejected ones to a group, `value` to those with it there; `likely=1` narrows new ones to those who may be somebody else. */
  rows: endpoint({
    method: 'GET',
    path: '/imports/:id/rows',
    access: 'session',
    query: listQuery(['row'], {
      kind: oneOf(...rowCategories),
      column: text,
      reason: text,
      value: text,
      likely: v.optional(oneOf('1')),
    }),
    answer: v.object({ rows: page(ImportRow) }),
  }),
  groups: endpoint({
    method: 'GET',
    path: '/imports/:id/groups',
    access: 'session',
    answer: v.object({ groups: v.array(RejectedGroup) }),
  }),
  /** Students of this name or code, to be put into a row of a list whose code nobody has; eight at most. */
  students: endpoint({
    method: 'GET',
    path: '/imports/:id/students',
    access: 'session',
    query: v.object({
      search: v.pipe(
        v.string('required'),
        v.trim(),
        v.minLength(2, 'required'),
        v.maxLength(200, 'too_long|200'),
      ),
    }),
    answer: v.object({ students: v.array(FoundPerson), more: v.boolean() }),
  }),
  /** Sorts the changed rows again and stays in `review`: the categories may change. */
  check: endpoint({
    method: 'POST',
    path: '/imports/:id/check',
    access: 'session',
    body: Corrections,
    bodyLimit: correctionsLimit,
    answer: v.object({ message: v.string(), import: Import }),
  }),
  /**
   * Writes what was reviewed, corrected cells re-checked. Where somebody else changed a row meanwhile nothing is
   * written, and the import stands in `review` again with its `problem`.
   */
  confirm: endpoint({
    method: 'POST',
    path: '/imports/:id/confirm',
    access: 'session',
    body: Corrections,
    bodyLimit: correctionsLimit,
    answer: v.object({ message: v.string(), import: Import }),
  }),
  /** Takes back what the last `check` changed; calling it again makes that change once more. */
  undo: endpoint({
    method: 'POST',
    path: '/imports/:id/undo',
    access: 'session',
    answer: v.object({ message: v.string(), import: Import }),
  }),
  cancel: endpoint({ method: 'POST', path: '/imports/:id/cancel', access: 'session', answer: done }),
}
