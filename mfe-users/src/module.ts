import { defineModule } from '@portal/sdk'
import { paths } from './paths.ts'

export default defineModule({
  contract: '1.2.0',
  routes: () => [
    { path: paths.users, lazy: () => import('./users/UsersPage.tsx'), permission: 'users.view' },
    { path: paths.roles, lazy: () => import('./roles/RolesPage.tsx'), permission: 'roles.view' },
    { path: paths.audit, lazy: () => import('./audit/AuditLogsPage.tsx'), permission: 'audit-logs.view' },
    {
      path: '/admin/users/people/:kind/:id',
      lazy: () => import('./person/PersonPage.tsx'),
      permission: ['people.export', 'people.erase'],
    },
    { path: paths.erasures, lazy: () => import('./person/ErasuresPage.tsx'), permission: 'people.erase' },
  ],
  messages: {
    en: () => [
      import(/* webpackChunkName: "en" */ './locales/en.ts'),
      import(/* webpackChunkName: "en" */ '@portal/screens/locales/en'),
      import(/* webpackChunkName: "en" */ '@portal/ui/locales/en'),
    ],
    fr: () => [
      import(/* webpackChunkName: "fr" */ './locales/fr.ts'),
      import(/* webpackChunkName: "fr" */ '@portal/screens/locales/fr'),
      import(/* webpackChunkName: "fr" */ '@portal/ui/locales/fr'),
    ],
  },
})
