import { useLingui } from '@lingui/react/macro'
import { session as calls } from '@portal/contracts/session'
import { currentLocale } from '@portal/i18n/locale'
import { Icon, type IconName } from '@portal/ui/Icon'
import { PersonButton } from '@portal/ui/TopBar'
import { applyTheme, chooseTheme, storedTheme, type Theme } from '@portal/ui/theme'
import { type KeyboardEvent, useEffect, useRef, useState } from 'react'
import { setLocale } from '../language.ts'
import { places } from '../platform/place.ts'
import { client } from '../session/client.ts'
import { useSessionStore } from '../session/session.ts'

type Item = {
  key: string
  icon: IconName
  label: string
  checked?: boolean
  apart?: boolean
  act: () => void
}

/** The person's own menu. Written by hand: the library's menu is a sixth of the whole shell. */
export function PersonMenu() {
  const { t } = useLingui()
  const user = useSessionStore((state) => state.session?.user)
  const [open, setOpen] = useState(false)
  const [theme, setTheme] = useState(storedTheme)
  const box = useRef<HTMLDivElement>(null)
  const trigger = useRef<HTMLButtonElement>(null)

  useEffect(() => {
    if (!open) return
    box.current?.querySelector<HTMLElement>('[role^="menuitem"]')?.focus()
    const outside = (event: PointerEvent) => {
      if (!box.current?.parentElement?.contains(event.target as Node)) setOpen(false)
    }
    document.addEventListener('pointerdown', outside)
    return () => document.removeEventListener('pointerdown', outside)
  }, [open])

  if (!user) return null
  const pick = (chosen: Theme) => {
    chooseTheme(chosen)
    rememberTheme(chosen)
    applyTheme(chosen)
    setTheme(chosen)
  }
  const themes: { theme: Theme; icon: IconName; label: string }[] = [
    { theme: 'light', icon: 'sun', label: t`Light` },
    { theme: 'dark', icon: 'moon', label: t`Dark` },
    { theme: 'system', icon: 'panel', label: t`As on this device` },
  ]
  const other = currentLocale() === 'fr' ? 'en' : 'fr'
  const items: Item[] = [
    { key: 'profile', icon: 'user', label: t`My profile`, act: () => places.navigator.push('/profile') },
    {
      key: 'language',
      icon: 'globe',
      label: other === 'fr' ? 'Français' : 'English',
      act: () => void setLocale(other),
    },
    ...themes.map(({ theme: each, icon, label }, index) => ({
      key: each,
      icon,
      label,
      checked: theme === each,
      apart: index === 0,
      act: () => pick(each),
    })),
    { key: 'out', icon: 'logout', label: t`Sign out`, apart: true, act: () => void signOut() },
  ]
  const close = () => {
    setOpen(false)
    trigger.current?.focus()
  }
  const name = `${user.first_name} ${user.last_name}`
  return (
    <div className="person-menu">
      <PersonButton
        ref={trigger}
        name={name}
        role={user.roles[0]?.name}
        aria-haspopup="menu"
        aria-expanded={open}
        onClick={() => setOpen(!open)}
      />
      {open && (
        <div
          className="menu"
          role="menu"
          ref={box}
          aria-label={name}
          tabIndex={-1}
          onKeyDown={(event) => move(event, close)}
        >
          {items.map((item) => (
            <MenuLine key={item.key} item={item} onDone={close} />
          ))}
        </div>
      )}
    </div>
  )
}

function MenuLine({ item, onDone }: { item: Item; onDone: () => void }) {
  const { icon, label, checked, apart, act } = item
  const kind =
    checked === undefined ? { role: 'menuitem' } : { role: 'menuitemradio', 'aria-checked': checked }
  return (
    <>
      {apart && <hr />}
      <button
        type="button"
        {...kind}
        tabIndex={-1}
        onClick={() => {
          onDone()
          act()
        }}
      >
        <Icon name={icon} />
        <span className="grow">{label}</span>
        {checked && <Icon name="check" size={16} />}
      </button>
    </>
  )
}

/** Arrows, Home and End go through the lines; Escape and Tab leave. */
function move(event: KeyboardEvent<HTMLElement>, close: () => void) {
  const lines = [...event.currentTarget.querySelectorAll<HTMLElement>('[role^="menuitem"]')]
  const at = lines.indexOf(document.activeElement as HTMLElement)
  const next: Record<string, number> = { ArrowDown: at + 1, ArrowUp: at - 1, Home: 0, End: -1 }
  const place = next[event.key]
  if (place !== undefined) {
    event.preventDefault()
    lines.at(place % lines.length)?.focus()
  } else if (event.key === 'Escape' || event.key === 'Tab') {
    if (event.key === 'Escape') event.preventDefault()
    close()
  }
}

/** The gateway reads it, so that the first paint of the next page has the theme already. */
function rememberTheme(theme: Theme) {
  const age = theme === 'system' ? 0 : 31_536_000
  // biome-ignore lint/suspicious/noDocumentCookie: the newer API lacks Firefox
  document.cookie = `portal_theme=${theme}; Path=/; Max-Age=${age}; SameSite=Lax`
}

async function signOut() {
  await client.call(calls.signOut).catch(() => {})
  window.location.assign('/login')
}
