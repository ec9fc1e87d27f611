import { button, inRow, rowAct } from '../openings.ts'
import { idOf, type Screen } from './screen.ts'

/** The student of a request to erase, which an officer asked for and nobody has decided, made once. */
const askedErasure = `
  with old as (select subject_id from erasure_requests where reason = 'stage'),
  made as (insert into erasure_requests (kind, record_id, subject_type, subject_id, cases, other_cases, stop_paying, reason, user_id)
    select 'student', s.id, 'student', s.id, '{}', '{}', true, 'stage', u.id
    from (select max(id) as id from students) s, users u
    where u.email = 'officer@portal.example' and not exists (select from old) returning subject_id)
  select subject_id as id from old union all select subject_id from made`

/** People, roles and the audit log. */
export const usersScreens: Screen[] = [
  {
    route: '/admin/users',
    role: 'admin',
    dialogs: {
      add: button('Add user'),
      edit: rowAct('Edit'),
      'assign role': rowAct('Assign role'),
      limit: rowAct('Limit of approval'),
      'turn off codes': rowAct('Turn off one-time codes'),
      'sign out everywhere': rowAct('Sign out everywhere'),
      deactivate: inRow('td .small-button'),
      'remove role': inRow('.tag button'),
    },
  },
  {
    route: '/admin/roles',
    role: 'admin',
    dialogs: {
      create: button('Create role'),
      edit: rowAct('Edit'),
      permissions: rowAct('Assign Permissions'),
      // The first one is the administrators' own, which nobody deletes.
      delete: async (page, say) => {
        await page.locator('main tbody .menu-cell').getByRole('button').nth(1).click()
        await page.getByRole('menuitem', { name: say('Delete'), exact: true }).click()
      },
    },
  },
  {
    route: '/admin/users/people/:kind/:id',
    role: 'admin',
    path: async () => `/admin/users/people/student/${await idOf('select min(id) as id from students')}`,
    dialogs: { export: button('Export personal data'), erase: button('Ask for erasure') },
  },
  {
    route: '/admin/users/people/:kind/:id',
    role: 'admin',
    as: 'asked',
    path: async () => `/admin/users/people/student/${await idOf(askedErasure)}`,
    dialogs: { approve: button('Approve erasure'), refuse: button('Refuse') },
  },
  { route: '/admin/users/erasures', role: 'admin' },
  { route: '/admin/users/audit/logs', role: 'auditor', dialogs: { details: rowAct('See Details') } },
]
