import { Trans, useLingui } from '@lingui/react/macro'
import { IconButton } from '@portal/ui/Button'
import { Icon } from '@portal/ui/Icon'
import { PublicHead } from './PublicHead.tsx'

/**
 * The sign-in form as words and boxes. It is drawn while building, not in the browser: `login.ts` gives it its life
 * in a few KB, and the portal's own code is fetched while the person types.
 */
export function LoginPage() {
  const { t } = useLingui()
  return (
    <div className="landing">
      <div className="landing-words">
        <PublicHead />
        <main className="login">
          <h1>
            <Trans>Sign in</Trans>
          </h1>
          <p className="muted">
            <Trans>For staff and partners. Consultants use the link in their invitation.</Trans>
          </p>
          <form
            id="sign-in"
            className="stack"
            method="post"
            noValidate
            data-missing={t`Fill in this field.`}
            data-offline={t`An unexpected error occurred. Please try again later.`}
          >
            <div className="notice bad" role="alert" id="failure" hidden>
              <Icon name="bad" />
              <div className="pre-line" />
            </div>
            <Field name="email" label={t`Email`}>
              <input
                className="input"
                id="email"
                name="email"
                type="email"
                autoComplete="username"
                autoCapitalize="none"
                spellCheck={false}
                aria-describedby="email-error"
                required
              />
            </Field>
            <Field name="password" label={t`Password`}>
              <span className="with-end">
                <input
                  className="input"
                  id="password"
                  name="password"
                  type="password"
                  autoComplete="current-password"
                  aria-describedby="password-error"
                  maxLength={200}
                  required
                />
                <IconButton icon="eye" id="show" label={t`Show password`} aria-pressed={false} />
              </span>
            </Field>
            <button className="button primary" type="submit">
              <Icon name="spin" size={16} />
              <Trans>Sign in</Trans>
            </button>
          </form>
          <noscript>
            <p className="notice waiting">
              <Trans>
                The portal needs JavaScript. Switch it on in your browser, then load this page again.
              </Trans>
            </p>
          </noscript>
        </main>
        <footer className="small muted">
          <Trans>Run by a consortium of partners in Mali and Senegal.</Trans>
        </footer>
      </div>
      <div className="cloth" aria-hidden="true" />
    </div>
  )
}

function Field({ name, label, children }: { name: string; label: string; children: React.ReactNode }) {
  return (
    <div className="field">
      <label htmlFor={name}>{label}</label>
      {children}
      <p className="error-text" id={`${name}-error`} hidden>
        <Icon name="bad" size={14} />
        <span />
      </p>
    </div>
  )
}
