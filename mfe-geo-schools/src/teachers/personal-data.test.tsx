import { test } from 'vitest'
import { findsPersonalData } from '../test-personal-data.tsx'
import TeachersPage from './TeachersPage.tsx'

test('whoever may erase people and not export them finds the way to the data of a teacher', () =>
  findsPersonalData(<TeachersPage />, 'teachers', { id: 9, classes: [] }, '/admin/users/people/teacher/9'))
