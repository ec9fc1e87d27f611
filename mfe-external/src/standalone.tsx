import '@portal/ui/ui.css'
import '@portal/ui/screens.css'
import './standalone.css'
import { i18n } from '@lingui/core'
import { I18nProvider } from '@lingui/react'
import { createClient } from '@portal/client/client'
import { activate, currentLocale, detectLocale, type Locale, loadCatalog } from '@portal/i18n/locale'
import { createRoot } from 'react-dom/client'
import { StandalonePage } from './StandalonePage.tsx'

/** Without the shell there is no facade: this build has its own copy of everything, and no session. */
const client = createClient({ base: '/api', locale: currentLocale })

const words: Record<Locale, () => Promise<{ messages: Parameters<typeof loadCatalog>[1] }>[]> = {
  en: () => [
    import(/* webpackChunkName: "words-en" */ './locales/en.ts'),
    import(/* webpackChunkName: "words-en" */ '@portal/ui/locales/en'),
  ],
  fr: () => [
    import(/* webpackChunkName: "words-fr" */ './locales/fr.ts'),
    import(/* webpackChunkName: "words-fr" */ '@portal/ui/locales/fr'),
  ],
}

async function setLocale(locale: Locale) {
  for (const { messages } of await Promise.all(words[locale]())) loadCatalog(locale, messages)
  activate(locale)
}

const invite = decodeURIComponent(window.location.pathname.split('/')[3] ?? '')
const root = document.getElementById('root')
if (root) {
  void setLocale(detectLocale()).then(() =>
    createRoot(root).render(
      <I18nProvider i18n={i18n}>
        <StandalonePage client={client} invite={invite} onLocale={(locale) => void setLocale(locale)} />
      </I18nProvider>,
    ),
  )
}
