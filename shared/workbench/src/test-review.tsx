import type { Import, ImportRow } from '@portal/contracts/imports'
import type { Sheet } from '@portal/contracts/imports/sheet'
import { studentsSheet } from '@portal/contracts/registers/students.sheet'
import { type Answers, drawInShell } from '@portal/screens/test-host'
import { act } from 'react'
import { expect, vi } from 'vitest'
import './ApplyBar.tsx'
import './ConfirmBar.tsx'
import './FindStudentDialog.tsx'
import { Review } from './Review.tsx'

// Lazy pieces are imported above, so that no test waits for a file.

export const waiting = { timeout: 30_000 }

export const sheet = studentsSheet(false)
export const found: Import = {
  id: 9,
  kind: 'students',
  state: 'review',
  file_name: 'list.xlsx',
  rows_read: 5,
  rows_new: 1,
  rows_changed: 0,
  rows_unchanged: 0,
  rows_duplicate: 0,
  rows_rejected: 4,
  rows_imported: 1,
  problem: null,
  cohort_id: null,
  user: null,
  headings: {},
  created_at: '2026-11-20T10:00:00Z',
  finished_at: null,
  errors: [],
}
export const rowOf = (row: number, column: string, cells: Record<string, string>): ImportRow => ({
  row,
  kind: 'rejected',
  cells,
  changes: [],
  errors: [{ row, column, value: cells[column] ?? null, message: 'Refused.' }],
  same_as: null,
  likely: [],
})

/** A server that holds these rejected rows of one group. */
export const reviewed =
  (column: string, reason: string, rows: ImportRow[]): Answers =>
  ({ url, method }) => {
    if (method === 'POST')
      return { body: { message: 'The corrected rows were checked again.', import: found } }
    if (url.includes('/students')) return { body: oumou }
    if (url.includes('/groups'))
      return { body: { groups: [{ column, reason, message: 'Refused.', count: rows.length, samples: [] }] } }
    const page = { current_page: 1, last_page: 1, per_page: 15, total: rows.length }
    return { body: { rows: { ...page, data: rows } } }
  }
export const settle = () => act(async () => void (await vi.advanceTimersByTimeAsync(0)))

/** Draws the review of an import with these rejected rows of one group, and waits for them. */
export async function review(
  column: string,
  reason: string,
  rows: ImportRow[],
  { of = sheet, lacking }: { of?: Sheet; lacking?: string[] } = {},
) {
  window.scrollTo = () => undefined
  const answers = reviewed(column, reason, rows)
  const drawn = await drawInShell(
    <Review found={found} sheet={of} onAnswer={() => undefined} onStale={() => undefined} />,
    answers,
    `/list?import=9&kind=rejected&column=${column}&reason=${reason}`,
    lacking,
  )
  await vi.waitFor(async () => {
    await settle()
    expect(document.querySelector('tbody td')?.textContent).toMatch(/\d/)
  }, waiting)
  const sent = () => drawn.calls.filter(({ method }) => method === 'POST')
  return { ...drawn, sent }
}
/** What the search for the student of a row finds. */
const oumou = { students: [{ code: 'KYG-77', name: 'Oumou Diarra', place: 'Coura' }], more: false }
