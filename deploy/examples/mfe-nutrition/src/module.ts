import { defineModule } from '@portal/sdk'
import './nutrition.css'
import { paths } from './paths.ts'

export default defineModule({
  // A literal, not an import: it is the version of the contract that this code was written for.
  contract: '1.5.0',
  routes: () => [
    { path: paths.meals, lazy: () => import('./meals/MealsPage.tsx') },
    { path: paths.kitchens, lazy: () => import('./kitchens/KitchensPage.tsx') },
  ],
  cards: { meals: () => import('./home/MealsCard.tsx') },
  tabs: { school: { meals: () => import('./school/MealsTab.tsx') } },
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
