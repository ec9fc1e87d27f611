import { Trans, useLingui } from '@lingui/react/macro'
import { EmailBox, PasswordBox, PublicField, PublicForm, PublicPage } from './PublicForm.tsx'

/** The sign-in. The code of an authenticator app is asked for once the server wants one. */
export function LoginPage() {
  const { t } = useLingui()
  return (
    <PublicPage
      title={<Trans>Sign in</Trans>}
      text={<Trans>For staff and partners. Consultants use the link in their invitation.</Trans>}
    >
      <PublicForm submit={<Trans>Sign in</Trans>}>
        <EmailBox />
        <PasswordBox />
        <PublicField
          name="code"
          label={t`One-time code`}
          help={<Trans>Six digits from your authenticator app, or a recovery code.</Trans>}
          hidden
        >
          <input
            className="input"
            id="code"
            name="code"
            autoComplete="one-time-code"
            autoCapitalize="none"
            spellCheck={false}
            maxLength={30}
            aria-describedby="code-help code-error"
          />
        </PublicField>
      </PublicForm>
      <div className="stack login-with" id="with" hidden>
        <a className="button" href="/login">
          <span>
            <Trans>
              Sign in with <span className="who" />
            </Trans>
          </span>
        </a>
      </div>
      <div id="outcomes" hidden>
        <p id="outcome-refused">
          <Trans>
            You could not be signed in this way. Sign in with your e-mail and password, or ask whoever manages
            the accounts.
          </Trans>
        </p>
        <p id="outcome-away">
          <Trans>
            The other sign-in does not answer at the moment. Try again later, or sign in with your e-mail and
            password.
          </Trans>
        </p>
        <p id="outcome-over">
          <Trans>This sign-in took too long, or was begun in another browser. Begin it again.</Trans>
        </p>
        <p id="outcome-wait">
          <Trans>There were too many attempts. Wait a minute, then try again.</Trans>
        </p>
      </div>
      <p className="login-more">
        <a href="/login" id="back" hidden>
          <Trans>Sign in another way</Trans>
        </a>
        <a href="/password/forgot" id="forgot">
          <Trans>Forgot password?</Trans>
        </a>
      </p>
    </PublicPage>
  )
}
