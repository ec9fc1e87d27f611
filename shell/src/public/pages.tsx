import { i18n, type Messages } from '@lingui/core'
import { t } from '@lingui/core/macro'
import { I18nProvider } from '@lingui/react'
import type { Locale } from '@portal/i18n/locale'
import { messages as uiEn } from '@portal/ui/locales/en'
import { messages as uiFr } from '@portal/ui/locales/fr'
import type { ReactElement } from 'react'
import { renderToStaticMarkup } from 'react-dom/server'
import { shellPages as addresses } from '../pages/addresses.ts'
import { AwayPage } from './AwayPage.tsx'
import { ForgotPage } from './ForgotPage.tsx'
import { LandingPage } from './LandingPage.tsx'
import { LoginPage } from './LoginPage.tsx'
import { messages as en } from './locales/en.ts'
import { messages as fr } from './locales/fr.ts'
import { OfflinePage } from './OfflinePage.tsx'
import { PortalStart } from './PortalStart.tsx'
import { ResetPage } from './ResetPage.tsx'

const catalogs: Record<Locale, Messages> = { en: { ...uiEn, ...en }, fr: { ...uiFr, ...fr } }

/** The portal's own pages; the build lists what each is made of. */
export const shellPages = addresses

/** Title and first content of each page of the shell, by name; the build writes one file per page and language. */
export function pagesIn(locale: Locale): Record<string, { title: string; content: string }> {
  i18n.load(locale, catalogs[locale])
  i18n.activate(locale)
  const product = t`Girls’ education`
  const draw = (page: ReactElement) => renderToStaticMarkup(<I18nProvider i18n={i18n}>{page}</I18nProvider>)
  return {
    landing: { title: t`Girls’ education cash transfers`, content: draw(<LandingPage />) },
    login: { title: `${t`Sign in`} · ${product}`, content: draw(<LoginPage />) },
    forgot: { title: `${t`Forgot password?`} · ${product}`, content: draw(<ForgotPage />) },
    reset: { title: `${t`Choose your password`} · ${product}`, content: draw(<ResetPage />) },
    offline: { title: `${t`There is no connection`} · ${product}`, content: draw(<OfflinePage />) },
    away: {
      title: `${t`The portal does not answer at the moment`} · ${product}`,
      content: draw(<AwayPage />),
    },
    portal: { title: product, content: draw(<PortalStart />) },
    isolated: { title: product, content: '' },
  }
}
