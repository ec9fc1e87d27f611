import { Trans } from '@lingui/react/macro'
import { EmailBox, PublicForm, PublicPage } from './PublicForm.tsx'

/** Asks for a link by mail. The answer is the same whether or not there is such an account. */
export function ForgotPage() {
  return (
    <PublicPage
      title={<Trans>Forgot password?</Trans>}
      text={
        <Trans>
          Write the e-mail address of your account. We send a link with which you choose a new password.
        </Trans>
      }
    >
      <PublicForm
        submit={<Trans>Send the link</Trans>}
        done={
          <p className="muted">
            <Trans>
              The link works once, for 60 minutes. No message? Look among the unwanted mail, or ask your
              administrator whether this address is the one of your account.
            </Trans>
          </p>
        }
      >
        <EmailBox />
      </PublicForm>
      <p className="login-more">
        <a href="/login">
          <Trans>Back to sign-in</Trans>
        </a>
      </p>
    </PublicPage>
  )
}
