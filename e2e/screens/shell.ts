import { anInvite } from '../invite.ts'
import { button, keys, rowAct } from '../openings.ts'
import type { Screen } from './screen.ts'

/** Before anybody has signed in, and the page of an expert who never does. */
export const publicScreens: Screen[] = [
  { route: '/', role: null },
  { route: '/login', role: null },
  { route: '/password/forgot', role: null },
  { route: '/password/reset/:token', role: null, path: async () => `/password/reset/${'a'.repeat(43)}` },
  { route: '/external/cases/:invite', role: null, path: anInvite },
  { route: '/external/cases/:invite', role: null, as: 'unknown', path: async () => '/external/cases/nobody' },
]

/** The pages of the shell. */
export const shellScreens: Screen[] = [
  { route: '/home', role: 'admin', dialogs: { search: keys('Control+k'), keys: keys('?') } },
  { route: '/home', role: 'admin', as: 'chart', path: async () => '/home?view=chart' },
  { route: '/home', role: 'reviewer', as: 'reviewer' },
  { route: '/home/attendance', role: 'admin' },
  { route: '/home/attendance/import', role: 'admin' },
  // Modules lead to it with their collection; what it shows then is walked through in `faults/records-import.spec.ts`.
  { route: '/home/records', role: 'admin' },
  { route: '/home/messages', role: 'admin', dialogs: { details: rowAct('See Details') } },
  { route: '/home/survey', role: 'admin' },
  { route: '/home/reports', role: 'admin' },
  {
    route: '/admin/sync',
    role: 'admin',
    dialogs: { 'add a device': button('Add device'), revoke: rowAct('Revoke') },
  },
  {
    route: '/admin/modules',
    role: 'admin',
    dialogs: {
      disable: rowAct('Disable'),
      // The build that waits longest is that of the stage; journeys publish others meanwhile.
      admit: (page) => page.locator('.waiting-look').getByRole('button').last().click(),
    },
  },
  {
    route: '/admin/modules',
    role: 'admin',
    as: 'a module',
    path: async () => '/admin/modules?module=mfe-cases',
  },
  { route: '/admin/system', role: 'admin' },
  {
    route: '/profile',
    role: 'admin',
    dialogs: { 'set up codes': button('Set up one-time codes') },
  },
  { route: '/admin/nothing-here', role: 'admin', as: 'not found' },
  { route: '/admin/users', role: 'reviewer', as: 'denied' },
]
