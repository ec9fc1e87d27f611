import { defineModule } from '@portal/sdk'

export default defineModule({
  contract: '1.0.0',
  routes: () => [{ path: '/admin/transfers', page: () => import('./TransfersPage.tsx') }],
  messages: {
    en: () => [import(/* webpackChunkName: "en" */ './locales/en.ts')],
    fr: () => [import(/* webpackChunkName: "fr" */ './locales/fr.ts')],
  },
})
