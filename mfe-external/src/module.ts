import { defineModule } from '@portal/sdk'

export default defineModule({
  contract: '1.2.0',
  routes: () => [
    { path: '/admin/consultations/preview/:id/:referral', lazy: () => import('./PreviewPage.tsx') },
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
