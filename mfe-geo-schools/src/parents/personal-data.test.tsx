import { test } from 'vitest'
import { findsPersonalData } from '../test-personal-data.tsx'
import ParentsPage from './ParentsPage.tsx'

test('whoever may erase people and not export them finds the way to the data of a guardian', () =>
  findsPersonalData(
    <ParentsPage />,
    'parents',
    { id: 8, parent_assigned_id: 'P-8', students: [] },
    '/admin/users/people/guardian/8',
  ))
