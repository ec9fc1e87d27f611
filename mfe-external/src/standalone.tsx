import '@portal/ui/ui.css'
import '@portal/ui/external.css'
import './guest.css'
import './standalone.css'
import { i18n } from '@lingui/core'
import { I18nProvider } from '@lingui/react'
import { createClient } from '@portal/client/client'
import { type Consultation, external } from '@portal/contracts/cases/external'
import {
  activate,
  currentLocale,
  detectLocale,
  isLocale,
  type Locale,
  loadCatalog,
} from '@portal/i18n/locale'
import { createRoot } from 'react-dom/client'
import { StandalonePage } from './StandalonePage.tsx'

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

const chosen = 'consultation-language'

async function setLocale(locale: Locale) {
  for (const { messages } of await Promise.all(words[locale]())) loadCatalog(locale, messages)
  activate(locale)
}

/** The language of this tab, else the visitor's own. */
function firstLocale(): Locale {
  try {
    const kept = sessionStorage.getItem(chosen)
    if (isLocale(kept)) return kept
  } catch {
    // A browser without storage has the visitor's language.
  }
  return detectLocale()
}

async function choose(locale: Locale) {
  // Without a connection the page stays in the language it has.
  await setLocale(locale).catch(() => {})
  try {
    sessionStorage.setItem(chosen, currentLocale())
  } catch {
    // A browser without storage forgets the choice with the tab.
  }
}

function inviteOf(path: string): string {
  const word = path.split('/')[3] ?? ''
  try {
    return decodeURIComponent(word)
  } catch {
    // A link that was cut inside an escape sequence counts as a wrong link.
    return word
  }
}

const first = firstLocale()
document.documentElement.lang = first
/** Without the shell there is no facade: this build has its own copy of everything, and no session. */
const client = createClient({ base: '/api', locale: () => i18n.locale || first })
const invite = inviteOf(window.location.pathname)
const ask = () => client.call(external.read, { params: { invite } }).then((answer) => answer.complainReferral)

// Requested in parallel with the words, which saves a round trip.
let ahead: Promise<Consultation> | null = ask()
ahead.catch(() => {})
const read = () => {
  const answer = ahead ?? ask()
  ahead = null
  return answer
}

const root = document.getElementById('root')
if (root) {
  setLocale(first).then(
    () =>
      createRoot(root).render(
        <I18nProvider i18n={i18n}>
          <StandalonePage
            client={client}
            invite={invite}
            read={read}
            onLocale={(locale) => void choose(locale)}
          />
        </I18nProvider>,
      ),
    () => {
      root.textContent =
        'The page could not be loaded. Check the connection, then reload it. · La page n’a pas pu être chargée. Vérifiez la connexion, puis rechargez-la.'
    },
  )
}
