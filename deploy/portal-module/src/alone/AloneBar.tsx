import { currentLocale, type Locale } from '@portal/i18n/locale'
import { useNavigate } from 'react-router-dom'
import type { Loaded } from './container.ts'
import { NewBuild } from './NewBuild.tsx'

type Props = Pick<Loaded, 'record'> & {
  addresses: string[]
  /** The permissions that the module asks for, and those of them that it has now. */
  asked: string[]
  granted: string[]
  onGrant: (granted: string[]) => void
  locale: Locale
  onSpeak: (locale: Locale) => void
  /** Who is signed in at a real portal. */
  session: { name: string; onSignOut: (() => void) | undefined } | undefined
}

/** The bar above a module that stands alone: its places, its permissions, the language, and the way out. */
export function AloneBar({ record, addresses, asked, granted, onGrant, locale, onSpeak, session }: Props) {
  const navigate = useNavigate()
  return (
    <header className="alone-bar">
      <strong>{record.title[currentLocale()]}</strong>
      <span className="muted">
        {record.name} {record.version}
      </span>
      {addresses.map((address) => (
        <button key={address} type="button" className="button small-button" onClick={() => navigate(address)}>
          {address}
        </button>
      ))}
      <span className="grow" />
      <NewBuild />
      {asked.map((name) => (
        <label key={name} className="check">
          <input
            type="checkbox"
            checked={granted.includes(name)}
            onChange={({ target }) =>
              onGrant(target.checked ? [...granted, name] : granted.filter((each) => each !== name))
            }
          />
          <span>{name}</span>
        </label>
      ))}
      {(['en', 'fr'] as const).map((each) => (
        <button
          key={each}
          type="button"
          className="button small-button"
          aria-pressed={locale === each}
          onClick={() => onSpeak(each)}
        >
          {each.toUpperCase()}
        </button>
      ))}
      {session && (
        <button type="button" className="button small-button" onClick={session.onSignOut}>
          {locale === 'fr' ? 'Se déconnecter' : 'Sign out'} ({session.name})
        </button>
      )}
    </header>
  )
}
