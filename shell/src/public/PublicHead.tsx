import { Trans, useLingui } from '@lingui/react/macro'
import { Brand } from '@portal/ui/Sidebar'

/** Head of the pages before the sign-in. Its language buttons are links too: they work before any script does. */
export function PublicHead({ signIn }: { signIn?: boolean }) {
  const { t, i18n } = useLingui()
  return (
    <header className="public-head">
      <Brand href="/" name={t`Girls’ education`} line={t`Cash transfers`} />
      <nav className="lang" aria-label={t`Language`}>
        <a href="?lang=en" lang="en" title="English" aria-current={i18n.locale === 'en' ? 'true' : undefined}>
          EN
        </a>
        <a
          href="?lang=fr"
          lang="fr"
          title="Français"
          aria-current={i18n.locale === 'fr' ? 'true' : undefined}
        >
          FR
        </a>
      </nav>
      {signIn && (
        <a className="button" href="/login">
          <Trans>Sign in</Trans>
        </a>
      )}
    </header>
  )
}
