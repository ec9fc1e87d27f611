import { defineModule } from '@portal/sdk'

export default defineModule({
  contract: '1.0.0',
  routes: () => [{ path: '/admin/consultations/preview', page: () => import('./PreviewPage.tsx') }],
  messages: {
    en: () => [import(/* webpackChunkName: "en" */ './locales/en.ts')],
    fr: () => [import(/* webpackChunkName: "fr" */ './locales/fr.ts')],
  },
})
