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
      <p className="login-more">
        <a href="/password/forgot">
          <Trans>Forgot password?</Trans>
        </a>
      </p>
    </PublicPage>
  )
}
