import '@portal/ui/ui.css'
import '@portal/ui/screens.css'
import '@portal/ui/lazy.css'
import { loadCatalog } from '@portal/i18n/locale'
import { messages as screensEn } from '@portal/screens/locales/en'
import { messages as screensFr } from '@portal/screens/locales/fr'
import { HostContext, I18nProvider, i18n, QueryClientProvider } from '@portal/sdk'
import { messages as uiEn } from '@portal/ui/locales/en'
import { messages as uiFr } from '@portal/ui/locales/fr'
import { useState } from 'react'
import { createRoot } from 'react-dom/client'
import { fakePortal } from '../harness/fake-portal.ts'
import { Gallery } from './Gallery.tsx'
import { messages as en } from './locales/en.ts'
import { messages as fr } from './locales/fr.ts'
import { sampleAnswers } from './samples.ts'

for (const words of [uiEn, screensEn, en]) loadCatalog('en', words)
for (const words of [uiFr, screensFr, fr]) loadCatalog('fr', words)

const portal = fakePortal({ answers: sampleAnswers })

/** The gallery inside a fake portal. */
function Page() {
  const [locale, setLocale] = useState(first)
  return (
    <I18nProvider i18n={i18n} key={locale}>
      <HostContext value={portal.host}>
        <QueryClientProvider client={portal.host.queryClient}>
          <Gallery
            onLocale={(next) => {
              portal.speak(next)
              setLocale(next)
            }}
          />
        </QueryClientProvider>
      </HostContext>
    </I18nProvider>
  )
}

const first = new URLSearchParams(location.search).get('lang') === 'fr' ? 'fr' : 'en'
portal.speak(first)
const root = document.getElementById('root')
if (root) createRoot(root).render(<Page />)
