import type { AnswerOf } from '@portal/contracts/endpoint'
import { schools } from '@portal/contracts/registers'
import type { Answers } from '../harness/fake-portal.ts'
import { sampleOf } from '../harness/sample.ts'
import { sampleItems } from '../harness/sample-items.ts'

const sampled = sampleOf(schools.list.answer) as AnswerOf<typeof schools.list>

/** The calls of the pieces that are drawn. */
export const sampleAnswers: Answers = {
  'GET /admin/schools/list': () => {
    const data = sampled.schools.data.map((row) => ({ ...row, name: 'COURA', admin_code: 'KIT-001' }))
    return { body: { schools: { ...sampled.schools, data } } }
  },
}

/** A school, as a tab is told of it. */
export const sampleSchool = sampleItems.school

/** An import that is under way. */
export const sampleImport = {
  state: 'importing' as const,
  rows_read: 180,
  rows_new: 120,
  rows_changed: 20,
  rows_unchanged: 30,
  rows_duplicate: 2,
  rows_rejected: 8,
  rows_imported: 120,
}
