import { menuAct, rowAct } from '../openings.ts'
import { idOf, type Screen } from './screen.ts'

/** Places, schools and people of the register. */
export const registerScreens: Screen[] = [
  { route: '/admin/geo/locations', role: 'school', dialogs: { edit: rowAct('Edit') } },
  { route: '/admin/geo/locations/external', role: 'school' },
  { route: '/admin/geo/locations/import', role: 'school' },
  {
    route: '/admin/schools',
    role: 'school',
    dialogs: { edit: rowAct('Edit'), 'save a view': menuAct('Views', 'Save this view…') },
  },
  {
    route: '/admin/schools',
    role: 'school',
    as: 'nothing found',
    path: async () => '/admin/schools?search=zzz',
  },
  { route: '/admin/schools/import', role: 'school' },
  {
    route: '/admin/schools/:id/users',
    role: 'school',
    path: async () => `/admin/schools/${await idOf('select min(id) as id from schools')}/users?type=student`,
  },
  { route: '/admin/schools/teachers', role: 'school' },
  { route: '/admin/schools/teachers/import', role: 'school' },
  {
    route: '/admin/schools/students',
    role: 'school',
    dialogs: { details: rowAct('See details'), edit: rowAct('Edit') },
  },
  { route: '/admin/schools/students/import', role: 'school' },
  { route: '/admin/schools/parents', role: 'school', dialogs: { edit: rowAct('Edit') } },
  { route: '/admin/schools/parents/import', role: 'school' },
  { route: '/admin/schools/partners', role: 'school', dialogs: { edit: rowAct('Edit') } },
  { route: '/admin/schools/partners/import', role: 'school' },
]
