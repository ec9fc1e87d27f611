import type { Student } from '@portal/contracts/registers-students'
import { type Answers, drawInShell } from '@portal/screens/test-host'
import { eventually } from '@portal/ui/test-render'
import { expect, test } from 'vitest'
import { EditStudentDialog } from './EditStudentDialog.tsx'

const student: Student = {
  id: 7,
  user: { id: 5, first_name: 'Awa', last_name: 'Diop', date_of_birth: '2014-02-03', gender: 'female' },
  school: { id: 2, name: 'CEM de Vélingara', admin_code: 'SN-0002', start_date: null },
  class: null,
  class_id: null,
  parents: [],
  student_code: 'S-7',
  student_assigned_id: 'A-7',
  date_of_birth: '2014-02-03',
  current_class_level: '6E',
  admission_number: null,
  academic_year: '2026-2027',
  start_date: null,
  language_spoken: null,
  created_at: '2026-11-01T08:00:00.000Z',
  version: 1,
}

const lists = ['regions', 'cercles', 'academies', 'caps', 'partner_types', 'employment_types', 'school_types']
const levels = [
  { code: '7', name: 'Year 7', country: 'ml' },
  { code: '6E', name: '6e', country: 'sn' },
  { code: 'CM2', name: 'CM2', country: 'sn' },
]
const options = {
  ...Object.fromEntries(lists.map((name) => [name, []])),
  languages: [],
  class_levels: levels,
}

const answers: Answers = ({ url }) => ({
  body: url.includes('/classes') ? { classes: [], country: 'sn' } : options,
})

/** The class levels that the form offers for a student. */
async function levelsOffered(of: Student, expected: string[]) {
  const { end } = await drawInShell(<EditStudentDialog student={of} onClose={() => undefined} />, answers)
  const label = () =>
    [...document.querySelectorAll('label')].find((each) => each.textContent?.startsWith('Class level'))
  const offered = () => {
    const select = document.getElementById(label()?.htmlFor ?? '') as HTMLSelectElement | null
    return [...(select?.options ?? [])].map(({ value }) => value).filter(Boolean)
  }
  await eventually(() => expect(offered()).toEqual(expected))
  await end()
}

test('an officer chooses among the class levels of the country of the school', () =>
  levelsOffered(student, ['6E', 'CM2']))

test('an officer sees the level of the other country that a student has had until now', () =>
  levelsOffered({ ...student, current_class_level: '7' }, ['7', '6E', 'CM2']))
