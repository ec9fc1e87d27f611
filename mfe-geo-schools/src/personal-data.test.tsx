import { drawInShell } from '@portal/screens/test-host'
import { click, eventually, named } from '@portal/ui/test-render'
import type { ReactNode } from 'react'
import { expect, test } from 'vitest'
import ParentsPage from './parents/ParentsPage.tsx'
import StudentsPage from './students/StudentsPage.tsx'
import TeachersPage from './teachers/TeachersPage.tsx'

const lists = ['regions', 'cercles', 'academies', 'caps', 'partner_types', 'employment_types', 'school_types']
const options = Object.fromEntries([...lists, 'class_levels', 'languages'].map((name) => [name, []]))
const names = { first_name: 'Aïssata', last_name: 'Diallo' }
const user = { id: 5, ...names, email: null, gender: null, date_of_birth: null }
const school = { id: 2, name: 'Coura', admin_code: 'ML-0007', start_date: null }
const of = (row: object) => ({ data: [row], current_page: 1, last_page: 1, per_page: 15, total: 1 })
const student = { id: 7, user, ...names, student_code: 'S-7', school, class: null, parents: [] }
const parent = { id: 8, user, ...names, parent_assigned_id: 'P-8', students: [] }
const teacher = { id: 9, user, ...names, school, classes: [] }

test.each<[string, ReactNode, object, string]>([
  ['a student', <StudentsPage key="s" />, { students: of(student) }, 'student/7'],
  ['a guardian', <ParentsPage key="p" />, { parents: of(parent) }, 'guardian/8'],
  ['a teacher', <TeachersPage key="t" />, { teachers: of(teacher) }, 'teacher/9'],
])(
  'whoever may erase people and not export them finds the way to the data of %s',
  async (_, page, body, person) => {
    const drawn = await drawInShell(
      page,
      ({ url }) => ({ body: url.includes('/list') ? body : options }),
      '/list',
      ['people.export'],
    )
    await eventually(() => expect(named('Actions for Aïssata Diallo')).toBeTruthy())
    await click(named('Actions for Aïssata Diallo'))
    const item = () =>
      [...document.querySelectorAll('[role=menuitem]')].find((each) => each.textContent === 'Personal data')
    await eventually(() => expect(item()).toBeDefined())
    expect(item()?.getAttribute('href')).toBe(`/admin/users/people/${person}`)
    await drawn.end()
  },
)
