import type { Import } from '@portal/contracts/imports'
import { payrolls } from '@portal/contracts/transfers/payrolls'
import { click, named } from '@portal/ui/test-render'
import { act, useState } from 'react'
import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { ExportButton } from './ExportButton.tsx'
import { ImportProgress } from './ImportProgress.tsx'
import { drawInShell } from './test-host.tsx'

const found: Import = {
  id: 9,
  kind: 'target-list',
  state: 'importing',
  file_name: 'list.xlsx',
  rows_read: 10,
  rows_new: 0,
  rows_changed: 0,
  rows_unchanged: 0,
  rows_duplicate: 1,
  rows_rejected: 0,
  rows_imported: 4,
  problem: null,
  cohort_id: null,
  user: null,
  headings: {},
  created_at: '2026-11-20T10:00:00Z',
  finished_at: null,
  errors: [],
}
const settle = (ms = 0) => act(async () => void (await vi.advanceTimersByTimeAsync(ms)))

beforeEach(() => vi.useFakeTimers())
afterEach(() => vi.useRealTimers())

test('an import is watched every second until it ends, and what was rejected is said by column and reason', async () => {
  const message = 'A phone number in Mali has 8 digits.'
  const errors = [118, 164].map((row) => ({
    row,
    column: 'receiver_phone_number',
    value: `76${row}`,
    message,
  }))
  const states: Import[] = [
    found,
    { ...found, state: 'imported', rows_imported: 7, rows_rejected: 2, errors },
  ]
  const onEnd = vi.fn()
  const { box, calls, end } = await drawInShell(<ImportProgress id={9} onEnd={onEnd} />, () => ({
    body: { import: states.length > 1 ? states.shift() : states[0] },
  }))
  await settle()
  expect(box.textContent).toContain('4 of 10 records imported')
  expect(box.textContent).toContain('The import runs in the background.')
  expect(onEnd).not.toHaveBeenCalled()
  await settle(1100)
  expect(box.textContent).toContain('7 records were imported.')
  expect(box.textContent).toContain('2 rows were rejected')
  expect(box.textContent).toContain(`Receiver phone number${message}Row 118 76118 · Row 164 76164`)
  expect(onEnd).toHaveBeenCalledExactlyOnceWith(expect.objectContaining({ state: 'imported' }))
  await settle(10_000)
  expect(calls).toHaveLength(2)
  await end()
})

test('an import that failed says why', async () => {
  const problem = 'The file has no column for the phone number.'
  const { box, end } = await drawInShell(<ImportProgress id={9} />, () => ({
    body: { import: { ...found, state: 'failed', problem } },
  }))
  await settle()
  expect(box.querySelector('[role="alert"]')?.textContent).toBe(`Nothing was imported. ${problem}`)
  await end()
})

test('an import that cannot be read says the reference of the log', async () => {
  const { box, end } = await drawInShell(<ImportProgress id={9} />, () => ({
    status: 500,
    body: { request_id: '7f3a-21c9' },
  }))
  await settle()
  expect(box.textContent).toContain('7f3a-21c9')
  await end()
})

const exporting = (
  <ExportButton endpoint={payrolls.export} body={{ payroll_id: 3 }} permission="payrolls.export">
    Export Payroll (Excel)
  </ExportButton>
)

test('an export is asked for once, followed until it is written, and saved', async () => {
  const saved = vi.spyOn(HTMLAnchorElement.prototype, 'click').mockImplementation(() => undefined)
  const answers = [
    { status: 202, body: { message: 'The export has started.', file_name: 'payroll.xlsx' } },
    { status: 202, body: { rows_done: 5, rows_total: 10 } },
    { body: 'the file' },
  ]
  const { box, calls, messages, end } = await drawInShell(
    exporting,
    () => answers.shift() ?? new Error('too many'),
  )
  await click(named('Export Payroll (Excel)'))
  await settle()
  expect(box.textContent).toContain('50%')
  await click(box.querySelector('button'))
  await settle(2000)
  expect(calls.map((call) => [call.method, call.url, call.poll])).toEqual([
    ['POST', '/api/admin/transfers/cohorts/payroll/export', false],
    ['GET', '/api/storage/exports/payroll.xlsx', true],
    ['GET', '/api/storage/exports/payroll.xlsx', true],
  ])
  expect(saved).toHaveBeenCalledOnce()
  expect(messages).toEqual(['The export has started.'])
  saved.mockRestore()
  await end()
})

test('an export that fails says so in the catalogue’s words, and whoever may not export sees no button', async () => {
  const refusal = () => ({ status: 409, body: { message: 'the list is empty' } })
  const { messages, end } = await drawInShell(exporting, refusal)
  await click(named('Export Payroll (Excel)'))
  await settle()
  expect(messages).toEqual(['Error exporting file: the list is empty'])
  await end()
  const barred = await drawInShell(exporting, refusal, '/list', ['payrolls.export'])
  expect(named('Export Payroll (Excel)')).toBeUndefined()
  await barred.end()
})

test('an export goes on when its button goes, and ends when its page is left', async () => {
  const saved = vi.spyOn(HTMLAnchorElement.prototype, 'click').mockImplementation(() => undefined)
  let written = false
  function Chosen() {
    const [count, setCount] = useState(1)
    return (
      <>
        <button type="button" onClick={() => setCount(1 - count)}>
          Choose
        </button>
        {count > 0 && exporting}
      </>
    )
  }
  const { calls, messages, end } = await drawInShell(<Chosen />, ({ method }) => {
    if (method === 'POST')
      return { status: 202, body: { message: 'The export has started.', file_name: 'payroll.xlsx' } }
    return written ? { body: 'the file' } : { status: 202, body: { rows_done: 5, rows_total: 10 } }
  })
  await click(named('Export Payroll (Excel)'))
  await settle()
  await click(named('Choose'))
  written = true
  await settle(2000)
  expect(saved).toHaveBeenCalledOnce()

  await click(named('Choose'))
  written = false
  await click(named('Export Payroll (Excel)'))
  await settle()
  history.pushState(null, '', '/elsewhere')
  await settle(2000)
  const asked = calls.length
  written = true
  await settle(10_000)
  expect(calls.length).toBe(asked)
  expect(saved).toHaveBeenCalledOnce()
  expect(messages).toEqual(['The export has started.', 'The export has started.'])
  history.back()
  saved.mockRestore()
  await end()
})

test('an export goes on when the line fails for a moment while it is written', async () => {
  const saved = vi.spyOn(HTMLAnchorElement.prototype, 'click').mockImplementation(() => undefined)
  const answers = [
    { status: 202, body: { message: 'The export has started.', file_name: 'payroll.xlsx' } },
    new TypeError('gone'),
    { status: 503, body: { message: 'The database is away.' } },
    { body: 'the file' },
  ]
  const { messages, end } = await drawInShell(exporting, () => answers.shift() ?? new Error('too many'))
  await click(named('Export Payroll (Excel)'))
  await settle()
  await settle(10_000)
  expect(saved).toHaveBeenCalledOnce()
  expect(messages).toEqual(['The export has started.'])
  saved.mockRestore()
  await end()
})
