import { test } from 'vitest'
import { findsPersonalData } from '../test-personal-data.tsx'
import StudentsPage from './StudentsPage.tsx'

test('whoever may erase people and not export them finds the way to the data of a student', () =>
  findsPersonalData(
    <StudentsPage />,
    'students',
    { id: 7, student_code: 'S-7', class: null, parents: [] },
    '/admin/users/people/student/7',
  ))
