import { invalidate } from '@portal/client/query'
import { type Import, type ImportRow, imports } from '@portal/contracts/imports'
import type { Sheet } from '@portal/contracts/imports/sheet'
import { studentsSheet } from '@portal/contracts/registers/students.sheet'
import { targetListSheet } from '@portal/contracts/transfers/target-list.sheet'
import { type Answers, drawInShell } from '@portal/screens/test-host'
import { useQueryClient } from '@portal/sdk'
import { click, named, type } from '@portal/ui/test-render'
import { act, useState } from 'react'
import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import './ApplyBar.tsx'
import './ConfirmBar.tsx'
import './FindStudentDialog.tsx'
import { Review } from './Review.tsx'

// Lazy pieces are imported above, so that no test waits for a file.
vi.setConfig({ testTimeout: 60_000 })
const waiting = { timeout: 30_000 }

const sheet = studentsSheet(false)
const found: Import = {
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
const rowOf = (row: number, column: string, cells: Record<string, string>): ImportRow => ({
  row,
  kind: 'rejected',
  cells,
  changes: [],
  errors: [{ row, column, value: cells[column] ?? null, message: 'Refused.' }],
  same_as: null,
  likely: [],
})
const twins = [2, 3].map((row) =>
  rowOf(row, 'student_code', { student_code: 'S-1', last_name: row === 2 ? 'Ba' : 'Sy' }),
)
const classes = [4, 5].map((row) => rowOf(row, 'class', { student_code: `S-${row}`, class: '9A' }))

/** A server that holds these rejected rows of one group. */
const reviewed =
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
const settle = () => act(async () => void (await vi.advanceTimersByTimeAsync(0)))

beforeEach(() => vi.useFakeTimers())
afterEach(() => vi.useRealTimers())

async function review(
  column: string,
  reason: string,
  rows: ImportRow[],
  more: { of?: Sheet; lacking?: string[] } = {},
) {
  window.scrollTo = () => undefined
  const answers = reviewed(column, reason, rows)
  const drawn = await drawInShell(
    <Review found={found} sheet={more.of ?? sheet} onAnswer={() => undefined} onStale={() => undefined} />,
    answers,
    `/list?import=9&kind=rejected&column=${column}&reason=${reason}`,
    more.lacking,
  )
  await vi.waitFor(async () => {
    await settle()
    expect(document.querySelector('tbody td')?.textContent).toMatch(/\d/)
  }, waiting)
  const sent = () => drawn.calls.filter(({ method }) => method === 'POST')
  return { ...drawn, sent }
}

test('an officer keeps one of two rejected duplicates and takes the decision back by the same button', async () => {
  const { box, sent, end } = await review('student_code', 'row_conflict', twins)
  expect(box.textContent).toContain('Sy')
  const keep = named('Keep this one, row 3')
  await click(keep)
  expect(keep?.getAttribute('aria-pressed')).toBe('true')
  await click(keep)
  expect(keep?.getAttribute('aria-pressed')).toBe('false')
  await click(keep)
  await click(named('Check 1 correction'))
  await settle()
  expect(sent()).toMatchObject([
    { url: '/api/imports/9/check', body: { keep: [3], leave_out: [], corrections: [] } },
  ])
  await click(named('Undo'))
  await settle()
  expect(sent().at(-1)?.url).toBe('/api/imports/9/undo')
  await end()
})

test('an officer who has corrected the last rejected row sees the rows that will be saved', async () => {
  function Corrected() {
    const [now, setNow] = useState(found)
    return <Review found={now} sheet={sheet} onAnswer={setNow} onStale={() => undefined} />
  }
  window.scrollTo = () => undefined
  const before = reviewed('class', 'class_unknown', classes)
  const mended = { ...found, rows_new: 5, rows_rejected: 0 }
  const { end } = await drawInShell(
    <Corrected />,
    (call) =>
      call.method === 'POST'
        ? { body: { message: 'The corrected rows were checked again.', import: mended } }
        : before(call),
    '/list?import=9&kind=rejected&column=class&reason=class_unknown',
  )
  await vi.waitFor(async () => {
    await settle()
    expect(document.querySelector('input.cell')).toBeTruthy()
  }, waiting)
  await type(document.querySelector('input.cell') as HTMLInputElement, '8A')
  await click(named('Check 1 correction'))
  await vi.waitFor(async () => {
    await settle()
    expect(document.querySelector('.tabs [aria-current]')?.textContent).toContain('New')
  }, waiting)
  await end()
})

test('an officer who goes on correcting while her corrections are checked keeps what she wrote meanwhile', async () => {
  window.scrollTo = () => undefined
  const checked = Promise.withResolvers<void>()
  const before = reviewed('class', 'class_unknown', classes)
  const checkedAgain = { message: 'The corrected rows were checked again.', import: found }
  const { end } = await drawInShell(
    <Review found={found} sheet={sheet} onAnswer={() => undefined} onStale={() => undefined} />,
    (call) => (call.method === 'POST' ? checked.promise.then(() => ({ body: checkedAgain })) : before(call)),
    '/list?import=9&kind=rejected&column=class&reason=class_unknown',
  )
  const cells = () => [...document.querySelectorAll<HTMLInputElement>('input.cell')]
  await vi.waitFor(async () => {
    await settle()
    expect(cells()).toHaveLength(2)
  }, waiting)
  await type(cells()[0] as HTMLInputElement, '8A')
  await click(named('Check 1 correction'))
  await type(cells()[1] as HTMLInputElement, '7A')
  checked.resolve()
  await vi.waitFor(async () => {
    await settle()
    expect(named('Check 1 correction')).toBeDefined()
  }, waiting)
  expect(cells().map(({ value }) => value)).toEqual(['9A', '7A'])
  await end()
})

test('an officer writes a correction in all rows that have the same value, and undoes it', async () => {
  const { sent, end } = await review('class', 'class_unknown', classes)
  await type(document.querySelector('input.cell') as HTMLInputElement, '8A')
  await vi.waitFor(async () => {
    await settle()
    expect(named('Write “8A” in all 2 rows')).toBeDefined()
  }, waiting)
  await click(named('Write “8A” in all 2 rows'))
  const values = () =>
    [...document.querySelectorAll<HTMLInputElement>('input.cell')].map(({ value }) => value)
  expect(values()).toEqual(['8A', '8A'])
  await click(named('Undo'))
  expect(values()).toEqual(['9A', '9A'])
  await type(document.querySelector('input.cell') as HTMLInputElement, '8A')
  await vi.waitFor(async () => {
    await settle()
    expect(named('Write “8A” in all 2 rows')).toBeDefined()
  }, waiting)
  await click(named('Write “8A” in all 2 rows'))
  await click(named('Check 2 corrections'))
  await settle()
  expect(sent()).toMatchObject([
    { body: { replacements: [{ column: 'class', old_value: '9A', value: '8A' }], corrections: [] } },
  ])
  await end()
})

const list = targetListSheet('mobile_money')
const unknown = [
  rowOf(4, 'student_code', { receiver_first_name: 'Awa', receiver_last_name: 'Diarra', student_code: 'X-1' }),
]
/** What the search for the student of a row finds. */
const oumou = { students: [{ code: 'KYG-77', name: 'Oumou Diarra', place: 'Coura' }], more: false }

test('an officer who may not see the register finds the student of an unknown code by name', async () => {
  const { calls, end } = await review('student_code', 'student_unknown', unknown, {
    of: list,
    lacking: ['students.view'],
  })
  await click(named('Find by name, row 4'))
  await vi.waitFor(async () => {
    await settle()
    expect(document.querySelector('.picks button')?.textContent).toContain('Oumou Diarra KYG-77')
  }, waiting)
  expect(calls.at(-1)?.url).toBe('/api/imports/9/students?search=Diarra')
  await click(document.querySelector('.picks button'))
  expect(document.querySelector<HTMLInputElement>('input.cell')?.value).toBe('KYG-77')
  expect(document.querySelector('[role="dialog"]')).toBeNull()
  await end()
})

const infants = [2, 3].map((row) =>
  rowOf(row, 'date_of_birth', {
    student_code: `S-${row}`,
    date_of_birth: '03/02/2026',
    current_class_level: '7',
  }),
)

test('an officer confirms one unusual age, then all of them at once, and takes that back', async () => {
  const { sent, end } = await review('date_of_birth', 'age_unusual', infants)
  await click(named('It is right, row 3'))
  expect(named('Check 1 correction')).toBeDefined()
  await click(named('Confirm all 2 rows'))
  expect(named('It is right, row 2')?.getAttribute('aria-pressed')).toBe('true')
  await click(named('Undo'))
  expect(named('It is right, row 3')?.getAttribute('aria-pressed')).toBe('false')
  await click(named('Confirm all 2 rows'))
  await click(named('Check 2 corrections'))
  await settle()
  expect(sent()).toMatchObject([{ body: { confirm_all: ['age_unusual'], confirm: [], leave_out: [] } }])
  await end()
})

test('an officer corrects the class level beside an unusual age', async () => {
  const { sent, end } = await review('date_of_birth', 'age_unusual', infants)
  const level = document.querySelector('[aria-label="Class level, row 2"]')
  await type(level as HTMLInputElement, '1')
  await click(named('Check 1 correction'))
  await settle()
  expect(sent()).toMatchObject([
    { body: { corrections: [{ row: 2, column: 'current_class_level', value: '1' }] } },
  ])
  await end()
})

const phones = ['7o123456', '7o123457'].map((phone, at) =>
  rowOf(at + 4, 'receiver_phone_number', { receiver_phone_number: phone, receiver_last_name: 'Diarra' }),
)

test('an officer who has digits written for letters keeps what she wrote by hand', async () => {
  const { end } = await review('receiver_phone_number', 'phone_invalid', phones, { of: list })
  const values = () =>
    [...document.querySelectorAll<HTMLInputElement>('input.cell')].map(({ value }) => value)
  await type(document.querySelector('input.cell') as HTMLInputElement, '76000000')
  await click(named('Write the digit in 1 row'))
  expect(values()).toEqual(['76000000', '70123457'])
  expect(document.querySelector('.fixbar')?.textContent).toContain('The digit was written in 1 row.')
  await click(named('Undo'))
  expect(values()).toEqual(['76000000', '7o123457'])
  await type(document.querySelectorAll<HTMLInputElement>('input.cell')[1] as HTMLInputElement, '76000001')
  expect(document.body.textContent).not.toMatch(/where a digit belongs|digit was written/)
  await end()
})

test('an officer whose import cannot be read again reads so beside what she sees, and tries again', async () => {
  window.scrollTo = () => undefined
  let away = false
  const serving = reviewed('class', 'class_unknown', classes)
  const refused = { status: 500, body: { message: 'the disk is full' } }
  const shown = (
    <>
      <Review found={found} sheet={sheet} onAnswer={() => undefined} onStale={() => undefined} />
      <Refetch />
    </>
  )
  const { box, end } = await drawInShell(
    shown,
    (call) => (away ? refused : serving(call)),
    '/list?import=9&kind=rejected&column=class&reason=class_unknown',
  )
  await vi.waitFor(async () => {
    await settle()
    expect(box.querySelectorAll('input.cell')).toHaveLength(2)
  }, waiting)
  away = true
  await click(named('Read again'))
  await settle()
  const notices = () => [...box.querySelectorAll('[role=alert]')]
  expect(notices().map((notice) => notice.textContent)).toEqual([
    'Server Error: the disk is fullTry again',
    'Server Error: the disk is fullTry again',
  ])
  expect(box.querySelectorAll('input.cell')).toHaveLength(2)
  away = false
  for (const notice of notices()) await click(named('Try again', notice))
  await settle()
  expect(notices()).toEqual([])
  await end()
})

/** Reads again, as each change of an import does. */
function Refetch() {
  const queries = useQueryClient()
  return (
    <button type="button" onClick={() => void invalidate(queries, imports.groups, imports.rows)}>
      Read again
    </button>
  )
}
