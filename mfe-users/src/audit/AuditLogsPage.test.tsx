import type { AuditLog } from '@portal/contracts/audit'
import { type Answers, drawInShell } from '@portal/screens/test-host'
import { type } from '@portal/ui/test-render'
import { act } from 'react'
import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { AuditLogDialog } from './AuditLogDialog.tsx'
import AuditLogsPage from './AuditLogsPage.tsx'

const entry: AuditLog = {
  id: 7,
  created_at: '2026-06-03T10:00:00.000Z',
  ip_address: '10.0.0.7',
  user: { id: 3, first_name: 'Modibo', last_name: 'Keita' },
  event: 'updated',
  auditable_type: 'student',
  auditable_id: 2066,
  auditable_name: 'Aïssata Coulibaly',
  auditable_code: 'KYG-1001',
  sentence: [
    { text: 'Modibo Keita changed ', link: null },
    { text: 'Aïssata Coulibaly', link: '/admin/schools/students?search=KYG-1001' },
    { text: '’s date of birth: 03/06/2016 → 03/06/2015', link: null },
  ],
  old_values: { date_of_birth: '2016-06-03' },
  new_values: { date_of_birth: '2015-06-03' },
  erased: false,
  user_agent: null,
  module: null,
}

const answers =
  (too_many: boolean): Answers =>
  ({ url }) => {
    if (url.includes('/audit/filters'))
      return { body: { events: [], auditable_types: [], users: [], fields: {}, records: {} } }
    const logs = { data: [entry], current_page: 1, last_page: 1, per_page: 15, total: 1 }
    return { body: { logs, newest: 7, too_many } }
  }

const settle = () => act(async () => void (await vi.advanceTimersByTimeAsync(0)))
beforeEach(() => vi.useFakeTimers())
afterEach(() => vi.useRealTimers())

test('an auditor reads an entry as a sentence, and its name leads to the girl', async () => {
  const { box, end } = await drawInShell(<AuditLogsPage />, answers(false), '/admin/users/audit/logs')
  await settle()
  const link = box.querySelector('td a')
  expect(link?.getAttribute('href')).toBe('/admin/schools/students?search=KYG-1001')
  expect(link?.textContent).toBe('Aïssata Coulibaly')
  expect(link?.parentElement?.textContent).toBe(
    'Modibo Keita changed Aïssata Coulibaly’s date of birth: 03/06/2016 → 03/06/2015',
  )
  expect(box.querySelector('tbody')?.textContent).toContain('KYG-1001')
  expect(box.textContent).not.toContain('Write more')
  await end()
})

test('an auditor is told when more is called so than was searched for', async () => {
  const { box, end } = await drawInShell(<AuditLogsPage />, answers(true), '/admin/users/audit/logs')
  await settle()
  expect(box.textContent).toContain('Write more of the name, or a code.')
  await end()
})

test('an auditor reads states in her words from the first row on, however late the words come', async () => {
  const { promise: words, resolve: bring } = Promise.withResolvers<{ body: unknown }>()
  const decided = {
    ...entry,
    auditable_type: 'case',
    old_values: { status: 'new' },
    new_values: { status: 'resolved' },
  }
  const slow: Answers = ({ url }) => {
    if (url.includes('/audit/filters')) return words
    const logs = { data: [decided], current_page: 1, last_page: 1, per_page: 15, total: 1 }
    return { body: { logs, newest: 7, too_many: false } }
  }
  const { box, end } = await drawInShell(<AuditLogsPage />, slow, '/admin/users/audit/logs')
  await settle()
  expect(box.textContent).not.toContain('resolved')
  const status = {
    label: { en: 'Status', fr: 'Statut' },
    values: { new: { en: 'Just filed', fr: 'Nouveau' }, resolved: { en: 'Solved', fr: 'Résolu' } },
  }
  bring({
    body: { events: [], auditable_types: [], users: [], fields: { case: { status } }, records: {} },
  })
  await settle()
  const line = box.querySelector('tbody')?.textContent
  expect(line).toContain('Solved')
  expect(line).toContain('Just filed')
  await end()
})

test('an auditor reads in the details of an entry by which places an export was narrowed, and opens the school', async () => {
  const region = { id: 2, name: 'SEGOU' }
  const school = { id: 12, name: 'École de Kita 1', link: '/admin/schools?search=KIT-1' }
  const log = { ...entry, event: 'exported', old_values: null, new_values: { region, school, row_count: 3 } }
  const { end } = await drawInShell(
    <AuditLogDialog log={log} onClose={() => undefined} />,
    answers(false),
    '/admin/users/audit/logs',
  )
  await settle()
  const dialog = document.querySelector('[role=dialog]')
  expect(dialog?.textContent).toContain('region–SEGOU')
  const link = dialog?.querySelector('td a')
  expect([link?.textContent, link?.getAttribute('href')]).toEqual(['École de Kita 1', school.link])
  await end()
})

test('an auditor who reads on below sees no entry of the filter before under the one that she has set', async () => {
  const filtered = Promise.withResolvers<void>()
  const page = (...ids: number[]) => ({
    body: {
      logs: {
        data: ids.map((id) => ({ ...entry, id, auditable_code: `KYG-${id}` })),
        current_page: 1,
        last_page: 1,
        per_page: 15,
        total: ids.length,
      },
      newest: 9,
      too_many: false,
    },
  })
  const { box, end } = await drawInShell(
    <AuditLogsPage />,
    (call) => {
      if (call.url.includes('/audit/filters')) return answers(false)(call)
      return call.url.includes('from=') ? filtered.promise.then(() => page(9, 7)) : page(9, 8, 7, 5)
    },
    '/admin/users/audit/logs',
  )
  await settle()
  const codes = () =>
    [...box.querySelectorAll('tbody tr')].map((row) => /KYG-\d/.exec(row.textContent ?? '')?.[0])
  expect(codes()).toEqual(['KYG-9', 'KYG-8', 'KYG-7', 'KYG-5'])
  const scrolled = vi.spyOn(window, 'scrollY', 'get').mockReturnValue(300)
  await type(box.querySelector('input[aria-label="From"]') as HTMLInputElement, '01/06/2026')
  await settle()
  expect(box.querySelector('table')?.getAttribute('aria-busy')).toBe('true')
  filtered.resolve()
  await settle()
  expect(codes()).toEqual(['KYG-9', 'KYG-7'])
  scrolled.mockRestore()
  await end()
})
