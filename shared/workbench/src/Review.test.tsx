import { invalidate } from '@portal/client/query'
import { imports } from '@portal/contracts/imports'
import { targetListSheet } from '@portal/contracts/transfers/target-list.sheet'
import { drawInShell } from '@portal/screens/test-host'
import { useQueryClient } from '@portal/sdk'
import { click, named, type } from '@portal/ui/test-render'
import { useState } from 'react'
import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { Review } from './Review.tsx'
import { found, review, reviewed, rowOf, settle, sheet, waiting } from './test-review.tsx'

vi.setConfig({ testTimeout: 60_000 })
const twins = [2, 3].map((row) =>
  rowOf(row, 'student_code', { student_code: 'S-1', last_name: row === 2 ? 'Ba' : 'Sy' }),
)
const classes = [4, 5].map((row) => rowOf(row, 'class', { student_code: `S-${row}`, class: '9A' }))

beforeEach(() => vi.useFakeTimers())
afterEach(() => vi.useRealTimers())

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
