import { asProblem, type Problem } from '@portal/client/problem'
import type { Session } from '@portal/contracts/session'
import { activate, currentLocale, type Locale } from '@portal/i18n/locale'
import { Button } from '@portal/ui/Button'
import { FieldFrame } from '@portal/ui/FieldFrame'
import { Notice } from '@portal/ui/Notice'
import { type FormEvent, useState } from 'react'
import type { Deployed } from './deployed.ts'

/** The words of this page. They are in no catalog, because the page is bundled on the developer's machine. */
const words = {
  en: {
    title: 'Sign in',
    where: 'With an account of',
    email: 'E-mail',
    password: 'Password',
    code: 'One-time code',
    away: 'The portal does not answer. Try again.',
  },
  fr: {
    title: 'Se connecter',
    where: 'Avec un compte de',
    email: 'E-mail',
    password: 'Mot de passe',
    code: 'Code à usage unique',
    away: 'Le portail ne répond pas. Réessayez.',
  },
} satisfies Record<Locale, Record<string, string>>

type Props = { address: string; portal: Deployed; onSignedIn: (session: Session) => void }

/** The sign-in form of the portal that answers the calls of a module that runs alone. */
export function SignIn({ address, portal, onSignedIn }: Props) {
  const [locale, setLocale] = useState(currentLocale)
  const [problem, setProblem] = useState<Problem | null>(null)
  const [codeWanted, setCodeWanted] = useState(false)
  const [busy, setBusy] = useState(false)
  const say = words[locale]

  async function send(event: FormEvent<HTMLFormElement>) {
    event.preventDefault()
    const typed = new FormData(event.currentTarget)
    const given = (name: string) => String(typed.get(name) ?? '')
    setBusy(true)
    try {
      const [email, password, code] = ['email', 'password', 'code'].map(given) as [string, string, string]
      onSignedIn(await portal.signIn({ email, password, ...(code && { code }) }))
    } catch (thrown) {
      const found = asProblem(thrown)
      setProblem(found)
      if (found.errors.code) setCodeWanted(true)
      setBusy(false)
    }
  }

  const input = (name: 'email' | 'password' | 'code', more: { type: string; autoComplete: string }) => (
    <FieldFrame label={say[name]} required error={problem?.errors[name]?.[0]}>
      {(worn) => <input className="input" name={name} required {...more} {...worn} />}
    </FieldFrame>
  )
  return (
    <main className="alone-sign-in card">
      <form className="card-body fields" onSubmit={send}>
        <div className="row">
          <h1 className="grow">{say.title}</h1>
          {(['en', 'fr'] as const).map((each) => (
            <button
              key={each}
              type="button"
              className="button small-button"
              aria-pressed={locale === each}
              onClick={() => {
                activate(each)
                setLocale(each)
              }}
            >
              {each.toUpperCase()}
            </button>
          ))}
        </div>
        <p className="muted">
          {say.where} {address}
        </p>
        {problem && Object.keys(problem.errors).length === 0 && (
          <Notice tone="bad" alert>
            {problem.message || say.away}
          </Notice>
        )}
        {input('email', { type: 'email', autoComplete: 'username' })}
        {input('password', { type: 'password', autoComplete: 'current-password' })}
        {codeWanted && input('code', { type: 'text', autoComplete: 'one-time-code' })}
        <Button type="submit" variant="primary" busy={busy}>
          {say.title}
        </Button>
      </form>
    </main>
  )
}
