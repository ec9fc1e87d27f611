import { useLingui } from '@lingui/react/macro'
import { loadCatalog } from '@portal/i18n/locale'
import { Segmented } from '@portal/ui/Filters'
import { PageHead } from '@portal/ui/Page'
import { useState } from 'react'
import { Basics } from './Basics.tsx'
import { Data } from './Data.tsx'
import { Floats } from './Floats.tsx'
import { Forms } from './Forms.tsx'
import { messages as en } from './locales/en.ts'
import { messages as fr } from './locales/fr.ts'
import './gallery.css'

// Both languages come with the page: the words of the other pages do not grow by those of this one.
loadCatalog('en', en)
loadCatalog('fr', fr)

type Theme = 'page' | 'light' | 'dark'

/** Every piece of `@portal/ui` in its states, for those who build modules: how it looks, and the line that draws it. */
export default function GalleryPage() {
  const { t } = useLingui()
  const [theme, setTheme] = useState<Theme>('page')
  return (
    <>
      <PageHead
        title={t`Gallery`}
        text={t`The pieces that pages are made of, for those who build modules: how each looks, and the line that draws it.`}
        actions={
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
        }
      />
      <div className="gallery" data-gallery data-theme={theme === 'page' ? undefined : theme}>
        <Basics />
        <Forms />
        <Data />
        <Floats />
      </div>
    </>
  )
}
