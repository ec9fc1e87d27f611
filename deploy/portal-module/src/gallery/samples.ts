import type { AnswerOf } from '@portal/contracts/endpoint'
import type { Import } from '@portal/contracts/imports'
import { schools } from '@portal/contracts/registers'
import type { Answers } from '../harness/fake-portal.ts'
import { sampleOf } from '../harness/sample.ts'
import { sampleItems } from '../harness/sample-items.ts'

const sampled = sampleOf(schools.list.answer) as AnswerOf<typeof schools.list>
const [sampledRow] = sampled.schools.data

const rows = [
  { id: 1, name: 'COURA', admin_code: 'KIT-001', teachers: 9 },
  { id: 2, name: 'SÉGALA', admin_code: 'KIT-002', teachers: 14 },
].map((row) => ({ ...sampledRow, ...row }))

/** The calls of the pieces that are drawn. */
export const sampleAnswers: Answers = {
  'GET /admin/schools/list': () => ({
    body: { schools: { ...sampled.schools, data: rows, total: rows.length, last_page: 1, per_page: 15 } },
  }),
  'GET /modules/mfe-meals/records/meals/references/school': ({ query }) => ({
    body: {
      things: rows
        .filter(({ name, admin_code }) =>
          `${name} ${admin_code}`.includes((query.search ?? '').toUpperCase()),
        )
        .map(({ id, name, admin_code }) => ({ id, name, code: admin_code, place: 'KITA' })),
      more: false,
    },
  }),
}

/** A list with nothing in it. */
export const emptyList: Answers = {
  'GET /admin/schools/list': () => ({
    body: { schools: { ...sampled.schools, data: [], total: 0, last_page: 1 } },
  }),
}

/** A server that fails. */
export const failing: Answers = Object.fromEntries(
  ['/admin/schools/list', '/imports/1'].map((path) => [
    `GET ${path}`,
    () => ({ status: 500, body: { request_id: '7f3a-21c9' } }),
  ]),
)

/** A school, as a tab is told of it. */
export const sampleSchool = sampleItems.school

/** An import that is under way. */
export const sampleImport: Import = {
  id: 1,
  kind: 'schools',
  state: 'importing',
  file_name: 'schools.xlsx',
  rows_read: 180,
  rows_new: 120,
  rows_changed: 20,
  rows_unchanged: 30,
  rows_duplicate: 2,
  rows_rejected: 0,
  rows_imported: 120,
  problem: null,
  cohort_id: null,
  user: null,
  headings: {},
  created_at: '2026-01-15T08:00:00Z',
  finished_at: null,
  errors: [],
}

/** The answers about an import that is as `changes` says. */
export const importAs = (changes: Partial<Import>): Answers => ({
  'GET /imports/1': () => ({ body: { import: { ...sampleImport, ...changes } } }),
})

/** An import that goes on with every call, until all of its rows are in. */
export function importGoingOn(): Answers {
  let done = 0
  return {
    'GET /imports/1': () => {
      done = Math.min(done + 20, 178)
      const state = done < 178 ? 'importing' : 'imported'
      return { body: { import: { ...sampleImport, state, rows_imported: done } } }
    },
  }
}
