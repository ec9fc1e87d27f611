import { useLingui } from '@lingui/react/macro'
import { asProblem } from '@portal/client/problem'
import { session } from '@portal/contracts/session'
import { currentLocale } from '@portal/i18n/locale'
import { DropdownMenu } from '@portal/ui/DropdownMenu'
import type { IconName } from '@portal/ui/Icon'
import type { MenuItem, MenuProps } from '@portal/ui/Menu'
import { chooseTheme, storedTheme, type Theme } from '@portal/ui/theme'
import * as Radix from '@radix-ui/react-dropdown-menu'
import { useState } from 'react'
import { chooseLocale } from '../../language.ts'
import { notify } from '../../platform/notify.ts'
import { navigate } from '../../platform/tab-router.ts'
import { client } from '../../session/client.ts'

/** The person's own menu: profile, the other language, the theme, and the way out. */
export function PersonItems({ trigger }: Pick<MenuProps, 'trigger'>) {
  const { t } = useLingui()
  const [theme, setTheme] = useState(storedTheme)
  const pick = (chosen: Theme) => {
    chooseTheme(chosen)
    rememberTheme(chosen)
    setTheme(chosen)
  }
  const themes: { theme: Theme; icon: IconName; label: string }[] = [
    { theme: 'light', icon: 'sun', label: t`Light` },
    { theme: 'dark', icon: 'moon', label: t`Dark` },
    { theme: 'system', icon: 'panel', label: t`As on this device` },
  ]
  const other = currentLocale() === 'fr' ? 'en' : 'fr'
  const stillIn = t`You are still signed in: the portal could not be reached. Sign out again when it can.`
  const items: MenuItem[] = [
    {
      icon: 'user',
      label: t`My profile`,
      href: '/profile',
      onSelect: () => navigate('/profile'),
    },
    { icon: 'globe', label: other === 'fr' ? 'Français' : 'English', onSelect: () => chooseLocale(other) },
    ...themes.map(({ theme: each, icon, label }, index) => ({
      icon,
      label,
      checked: theme === each,
      apart: index === 0,
      onSelect: () => pick(each),
    })),
    { icon: 'logout', label: t`Sign out`, apart: true, onSelect: () => void signOut(stillIn) },
  ]
  return <DropdownMenu Radix={Radix} trigger={trigger} items={items} />
}

/** The gateway reads it, so that the first paint of the next page has the theme already. */
function rememberTheme(theme: Theme) {
  const age = theme === 'system' ? 0 : 31_536_000
  // biome-ignore lint/suspicious/noDocumentCookie: the newer API lacks Firefox
  document.cookie = `portal_theme=${theme}; Path=/; Max-Age=${age}; SameSite=Lax`
}

/** Signs out. If the call fails, the person is told that she is still signed in, unless the session had ended already. */
async function signOut(stillIn: string) {
  try {
    await client.call(session.signOut)
  } catch (thrown) {
    if (asProblem(thrown).kind !== 'signed-out') return notify.bad(stillIn)
  }
  window.location.assign('/login')
}
