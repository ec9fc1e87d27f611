import type { School } from '@portal/contracts/registers'
import { drawInShell } from '@portal/screens/test-host'
import { HostContext, useHost } from '@portal/sdk'
import { act, type ReactNode } from 'react'
import { Route, Routes } from 'react-router-dom'
import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import SchoolPeoplePage from './SchoolPeoplePage.tsx'

const school: School = {
  id: 7,
  name: 'Coura',
  admin_code: 'ML-0007',
  type_of_school: 'public',
  admin_district_as_cap: 'CAP KITA',
  education_authority_as_ae: 'AE KITA',
  academic_year: '2026-2027',
  teachers: 12,
  students: 340,
  classes: 6,
  cap: { id: 1, name: 'CAP KITA', academy: { name: 'AE KITA' } },
  arrondissement_id: null,
  arrondissement: null,
  partners: [],
  created_at: '2026-11-01T08:00:00.000Z',
  version: 1,
}
const options = {
  regions: [],
  cercles: [],
  academies: [],
  caps: [],
  partner_types: [],
  employment_types: [],
  school_types: [],
  class_levels: [],
  languages: [],
}
const found = { data: [], current_page: 1, last_page: 1, per_page: 15, total: 0 }

beforeEach(() => vi.useFakeTimers())
afterEach(() => vi.useRealTimers())

test('an officer who searches a school for a name still reads how many people it has', async () => {
  const { end } = await drawInShell(
    <Routes>
      <Route path="/admin/schools/:id/users" element={<SchoolPeoplePage />} />
    </Routes>,
    ({ url }) => ({
      body: url.includes('/users') ? { school, user_type: 'student', student: found } : options,
    }),
    '/admin/schools/7/users?type=student&search=nobody',
  )
  await act(async () => void (await vi.advanceTimersByTimeAsync(0)))
  const total = [...document.querySelectorAll('dl.facts > div')].find(
    (fact) => fact.querySelector('dt')?.textContent === 'Total users',
  )
  expect(total?.querySelector('dd')?.textContent?.trim()).toBe('340')
  await end()
})

const page = (
  <Routes>
    <Route path="/admin/schools/:id/users" element={<SchoolPeoplePage />} />
  </Routes>
)

test('an officer who may see the students of a school and not its teachers comes to the students', async () => {
  const { place, end } = await drawInShell(
    page,
    ({ url }) => ({
      body: url.includes('/users') ? { school, user_type: 'student', student: found } : options,
    }),
    '/admin/schools/7/users',
    ['teachers.view'],
  )
  await act(async () => void (await vi.advanceTimersByTimeAsync(0)))
  expect(place.current).toBe('/admin/schools/7/users?type=student')
  await end()
})

/** A shell in which a module has a tab on the page of a school. */
function WithModule({ children }: { children: ReactNode }) {
  const host = useHost()
  const extensions = { tabs: () => [{ key: 'meals', title: 'Meals' }], Tab: () => <p>Meals of the day</p> }
  return <HostContext value={{ ...host, extensions: extensions as never }}>{children}</HostContext>
}

test('an officer who may not see teachers opens what a module has on a school', async () => {
  const { box, end } = await drawInShell(
    <WithModule>{page}</WithModule>,
    ({ url }) => {
      if (url.includes('/users')) return { status: 403, body: { message: 'You may not see teachers.' } }
      return { body: url.endsWith('/schools/7') ? { school } : options }
    },
    '/admin/schools/7/users?tab=meals',
    ['teachers.view'],
  )
  await act(async () => void (await vi.advanceTimersByTimeAsync(0)))
  expect(box.textContent).toContain('Meals of the day')
  expect(box.textContent).not.toContain('You may not see teachers.')
  await end()
})
