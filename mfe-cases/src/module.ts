import { defineModule } from '@portal/sdk'
import { paths } from './paths.ts'

export default defineModule({
  contract: '1.2.0',
  routes: () => [
    { path: paths.cases, lazy: () => import('./list/CasesPage.tsx') },
    { path: '/admin/cases/:id/details', lazy: () => import('./details/CaseDetailsPage.tsx') },
  ],
  cards: { open: () => import('./card/OpenCasesCard.tsx') },
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
