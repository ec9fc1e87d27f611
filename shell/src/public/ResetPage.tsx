import { Trans } from '@lingui/react/macro'
import { PasswordBox, PublicForm, PublicPage } from './PublicForm.tsx'

/** Where the links of invitations and of forgotten passwords lead. */
export function ResetPage() {
  return (
    <PublicPage
      title={<Trans>Choose your password</Trans>}
      text={<Trans>With it and your e-mail address you sign in to the portal.</Trans>}
    >
      <PublicForm
        submit={<Trans>Set password</Trans>}
        done={
          <a className="button primary" href="/login">
            <Trans>Sign in</Trans>
          </a>
        }
      >
        <PasswordBox
          fresh
          help={
            <Trans>12 to 200 characters. Four words in a row are easy to remember and hard to guess.</Trans>
          }
        />
      </PublicForm>
      <p className="login-more until-done">
        <a href="/password/forgot">
          <Trans>Ask for a new link</Trans>
        </a>
      </p>
    </PublicPage>
  )
}
