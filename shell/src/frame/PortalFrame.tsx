import { useLingui } from '@lingui/react/macro'
import { currentLocale } from '@portal/i18n/locale'
import { useLazy } from '@portal/ui/lazy'
import { Frame } from '@portal/ui/Page'
import { Sidebar } from '@portal/ui/Sidebar'
import { readStored, writeStored } from '@portal/ui/stored'
import { Crumbs, LanguageSwitch, SearchButton, SkipLink, TopBar } from '@portal/ui/TopBar'
import { type ReactNode, useState } from 'react'
import { chooseLocale } from '../language.ts'
import { followInside, renderLink } from '../platform/links.tsx'
import { useLeaving } from '../session/dirty.ts'
import { useCodesNeeded, useSessionStore } from '../session/session.ts'
import { Bell } from './Bell.tsx'
import { lazyDialogs, lazyExtras } from './lazy-frame.ts'
import { open } from './opened.ts'
import { PersonMenu } from './PersonMenu.tsx'
import { useNavigation } from './useNavigation.ts'
import { usePageTitle } from './usePageTitle.ts'
import { usePrefetchTime } from './usePrefetchTime.ts'
import { searchKey, useSearchKey } from './useSearchKey.ts'

const railKey = 'portal.rail'

/** What surrounds every page behind the sign-in. It stays alive whatever happens to the page. */
export function PortalFrame({ pathname, children }: { pathname: string; children: ReactNode }) {
  const { t } = useLingui()
  const product = t`Girls’ education`
  const title = usePageTitle(pathname, product)
  const { entries, crumbs } = useNavigation(pathname, title)
  const [rail, setRail] = useState(() => readStored(railKey) === 'yes')
  const [menu, setMenu] = useState(false)
  const asked = useSessionStore((state) => state.expired || state.confirming !== null)
  // Fetched as soon as something is typed, because the question whether to leave must not wait for the network.
  const typed = useLeaving((state) => state.forms.size > 0)
  const dialogs = useLazy(lazyDialogs, { wanted: menu || asked || typed })
  const extras = useLazy(lazyExtras, { wanted: usePrefetchTime() })
  const codesNeeded = useCodesNeeded()
  useSearchKey()
  const brand = { href: '/home', name: product, line: t`Cash transfers` }
  const collapse = (collapsed: boolean) => {
    writeStored(railKey, collapsed ? 'yes' : 'no')
    setRail(collapsed)
  }
  return (
    <>
      <SkipLink />
      <Frame
        sidebar={
          <Sidebar
            entries={entries}
            brand={brand}
            collapsed={rail}
            onCollapse={collapse}
            renderLink={renderLink}
          />
        }
        rail={rail}
        topbar={
          <TopBar onMenu={() => setMenu(true)} brand={brand} renderLink={renderLink}>
            <Crumbs crumbs={crumbs} renderLink={renderLink} />
            <span className="grow" />
            {!codesNeeded && (
              <>
                <SearchButton onOpen={() => open('search')} keys={searchKey} />
                <Bell />
              </>
            )}
            <LanguageSwitch value={currentLocale()} onChange={chooseLocale} />
            <PersonMenu />
          </TopBar>
        }
      >
        {/* Live regions are here from the start: a dialog hides what is added later from screen readers. */}
        <div className="offline" aria-live="assertive" data-above>
          {extras && <extras.Notices />}
        </div>
        {/* biome-ignore lint/a11y: the links inside are what is pressed; this only keeps them within the page */}
        <div className="page-body" onClick={followInside}>
          {children}
        </div>
      </Frame>
      <div aria-live="polite">{extras && <extras.Messages />}</div>
      {extras && <extras.Floats entries={entries} />}
      {dialogs && (
        <dialogs.Dialogs name={product} entries={entries} menu={menu} onMenuClose={() => setMenu(false)} />
      )}
    </>
  )
}
