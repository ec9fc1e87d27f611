import { useLingui } from '@lingui/react/macro'
import { currentLocale, type Locale } from '@portal/i18n/locale'
import { Segmented } from '@portal/ui/Filters'
import { PageHead } from '@portal/ui/Page'
import { Toaster } from '@portal/ui/Toaster'
import { useState } from 'react'
import { Basics } from './Basics.tsx'
import { Data } from './Data.tsx'
import { Floats } from './Floats.tsx'
import { Forms } from './Forms.tsx'
import { Screens } from './Screens.tsx'
import './gallery.css'

type Theme = 'page' | 'light' | 'dark'

/** Shows the pieces of `@portal/ui` and `@portal/screens` in their states, with the code that draws them. */
export function Gallery({ onLocale }: { onLocale: (locale: Locale) => void }) {
  const { t } = useLingui()
  const [theme, setTheme] = useState<Theme>('page')
  const title = t`Gallery`
  return (
    <main className="page">
      <title>{title}</title>
      <PageHead
        title={title}
        text={t`The pieces that pages are made of, for those who build modules: how each looks, and the line that draws it.`}
        actions={
          <>
            <Segmented
              label={t`Language`}
              value={currentLocale()}
              onChange={onLocale}
              segments={[
                { value: 'en', label: 'English' },
                { value: 'fr', label: 'Français' },
              ]}
            />
            <Segmented
              label={t`Theme`}
              value={theme}
              onChange={setTheme}
              segments={[
                { value: 'page', label: t`As the page` },
                { value: 'light', label: t`Light` },
                { value: 'dark', label: t`Dark` },
              ]}
            />
          </>
        }
      />
      <div className="gallery" data-theme={theme === 'page' ? undefined : theme}>
        <Basics />
        <Forms />
        <Data />
        <Floats />
        <Screens />
      </div>
      <div aria-live="polite">
        <Toaster />
      </div>
    </main>
  )
}
