import * as v from 'valibot'
import { endpoint } from './endpoint.ts'
import { done, instant, listQuery, oneOf, page } from './fields.ts'

/** The seven things that come in by Excel. */
export const importKinds = ['locations', 'schools', 'partners', 'teachers', 'students', 'parents', 'target-list'] as const
export type ImportKind = (typeof importKinds)[number]

/** `queued → reading → (review →) importing → imported`; `failed` and `cancelled` are final too. */
export const importStates = ['queued', 'reading', 'review', 'importing', 'imported', 'failed', 'cancelled'] as const
export type ImportState = (typeof importStates)[number]

/** One cell that was refused; `row` as the spreadsheet numbers it. */
export const ImportError = v.object({
  row: v.number(),
  column: v.string(),
  value: v.nullable(v.string()),
  message: v.string(),
})
export type ImportError = v.InferOutput<typeof ImportError>

/** An import as the page that waits for it reads it: `rows_imported` = new + changed + unchanged (decisions section 2). */
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
  /** Why the whole import failed, in the reader's language. */
  problem: v.nullable(v.string()),
  created_at: instant,
  /** The first 100. */
  errors: v.array(ImportError),
})
export type Import = v.InferOutput<typeof Import>

/** The calls of decisions section 2 on imports; who may is decided by the import's kind. */
export const imports = {
  list: endpoint({
    method: 'GET',
    path: '/imports',
    access: 'session',
    query: listQuery(['created_at'], { kind: oneOf(...importKinds) }),
    answer: v.object({ imports: page(Import) }),
  }),
  read: endpoint({ method: 'GET', path: '/imports/:id', access: 'session', answer: v.object({ import: Import }) }),
  rejected: endpoint({ method: 'GET', path: '/imports/:id/rejected.xlsx', access: 'session', answer: v.unknown() }),
  file: endpoint({ method: 'GET', path: '/imports/:id/file', access: 'session', answer: v.unknown() }),
  cancel: endpoint({ method: 'POST', path: '/imports/:id/cancel', access: 'session', answer: done }),
}
