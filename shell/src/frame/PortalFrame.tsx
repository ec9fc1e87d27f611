import { Trans, useLingui } from '@lingui/react/macro'
import { currentLocale } from '@portal/i18n/locale'
import { ButtonLink } from '@portal/ui/Button'
import { Notice } from '@portal/ui/Notice'
import { Frame } from '@portal/ui/Page'
import { Sidebar } from '@portal/ui/Sidebar'
import { Toaster } from '@portal/ui/Toaster'
import { Crumbs, LanguageSwitch, SkipLink, TopBar } from '@portal/ui/TopBar'
import { type ReactNode, useEffect, useState } from 'react'
import { setLocale } from '../language.ts'
import { useLeaving } from '../platform/dirty.ts'
import { useSessionStore } from '../session/session.ts'
import { followInside, renderLink } from './links.tsx'
import { PersonMenu } from './PersonMenu.tsx'
import { useLate } from './useLate.ts'
import { useNavigation } from './useNavigation.ts'
import { usePageTitle } from './usePageTitle.ts'

const railKey = 'portal.rail'

/** What surrounds every page behind the sign-in. It stays alive whatever happens to the page. */
export function PortalFrame({ pathname, children }: { pathname: string; children: ReactNode }) {
  const { t } = useLingui()
  const product = t`Girls’ education`
  const title = usePageTitle(pathname, product)
  const { entries, crumbs } = useNavigation(pathname, title)
  const [rail, setRail] = useState(() => localStorage.getItem(railKey) === 'yes')
  const [menu, setMenu] = useState(false)
  const expired = useSessionStore((state) => state.expired)
  // Fetched as soon as something is typed, because the question whether to leave must not wait for the line.
  const typed = useLeaving((state) => state.forms.size > 0)
  const Dialogs = useLate(
    async () => (await import(/* webpackChunkName: "dialogs" */ './Dialogs.tsx')).Dialogs,
    menu || expired || typed,
  )
  const brand = { href: '/home', name: product, line: t`Cash transfers` }
  const collapse = (collapsed: boolean) => {
    localStorage.setItem(railKey, collapsed ? 'yes' : 'no')
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
        topbar={
          <TopBar onMenu={() => setMenu(true)} brand={brand} renderLink={renderLink}>
            <Crumbs crumbs={crumbs} renderLink={renderLink} />
            <span className="grow" />
            <LanguageSwitch value={currentLocale()} onChange={(locale) => void setLocale(locale)} />
            <PersonMenu />
          </TopBar>
        }
      >
        <Offline />
        <CodesNeeded pathname={pathname} />
        {/* biome-ignore lint/a11y: the links inside are what is pressed; this only keeps them within the page */}
        <div className="page-body" onClick={followInside}>
          {children}
        </div>
      </Frame>
      <Toaster />
      {Dialogs && <Dialogs name={product} entries={entries} menu={menu} onMenuClose={() => setMenu(false)} />}
    </>
  )
}

/** A role that asks for one-time codes counts only once they are set up; until then most of the menu is missing. */
function CodesNeeded({ pathname }: { pathname: string }) {
  const needed = useSessionStore((state) => state.session?.user?.totp_needed)
  if (!needed || pathname === '/profile') return null
  return (
    <Notice
      tone="waiting"
      title={<Trans>A role of yours asks for one-time codes.</Trans>}
      actions={
        <ButtonLink small href="/profile" renderLink={renderLink}>
          <Trans>Set up one-time codes</Trans>
        </ButtonLink>
      }
    >
      <Trans>What it allows is open to you once you have set them up.</Trans>
    </Notice>
  )
}

function Offline() {
  const [offline, setOffline] = useState(!navigator.onLine)
  useEffect(() => {
    const read = () => setOffline(!navigator.onLine)
    window.addEventListener('online', read)
    window.addEventListener('offline', read)
    return () => {
      window.removeEventListener('online', read)
      window.removeEventListener('offline', read)
    }
  }, [])
  if (!offline) return null
  return (
    <Notice tone="waiting" alert title={<Trans>There is no connection.</Trans>}>
      <Trans>What you see may be old. What you type stays here; send it when the connection is back.</Trans>
    </Notice>
  )
}
