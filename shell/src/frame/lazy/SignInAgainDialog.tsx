import { Trans, useLingui } from '@lingui/react/macro'
import { Button } from '@portal/ui/Button'
import { Dialog } from '@portal/ui/Dialog'
import { Notice } from '@portal/ui/Notice'
import { useId } from 'react'
import { useSessionStore } from '../../session/session.ts'
import { toSignIn } from '../../session/to-sign-in.ts'
import { useSignInAgain } from './useSignInAgain.ts'

type Props = {
  /** A call asks to re-authenticate; otherwise the session has ended. */
  confirming?: ((proved: boolean) => void) | undefined
}

/** Signs in over the open page. After a session has ended no call is repeated automatically. */
export function SignInAgainDialog({ confirming }: Props) {
  const { t } = useLingui()
  const { email, password, setPassword, code, setCode, busy, failure, signIn } = useSignInAgain(confirming)
  const id = useId()
  return (
    <Dialog
      title={confirming ? t`Confirm that it is you` : t`Sign in again`}
      description={
        confirming
          ? t`For this act your password is asked for once more.`
          : t`Your session has ended. What you typed on this page is kept.`
      }
      onClose={confirming ? () => confirming(false) : toSignIn}
      onSubmit={signIn}
      dirty={!confirming}
      busy={busy}
      footer={
        <>
          <span className="grow" />
          <Button type="submit" variant="primary" busy={busy} disabled={!password}>
            {confirming ? <Trans>Confirm</Trans> : <Trans>Sign in</Trans>}
          </Button>
        </>
      }
    >
      {failure && (
        <Notice tone="bad" alert>
          {failure}
        </Notice>
      )}
      <div className="field">
        <label htmlFor={`${id}-email`}>
          <Trans>Email</Trans>
        </label>
        <input id={`${id}-email`} className="input" value={email} autoComplete="username" readOnly />
      </div>
      <div className="field">
        <label htmlFor={`${id}-password`}>
          <Trans>Password</Trans>
        </label>
        <input
          id={`${id}-password`}
          className="input"
          type="password"
          autoComplete="current-password"
          data-autofocus
          value={password}
          onChange={(event) => setPassword(event.target.value)}
        />
      </div>
      {code !== null && <CodeField id={`${id}-code`} value={code} onChange={setCode} />}
      {confirming && <Providers />}
    </Dialog>
  )
}

type CodeProps = { id: string; value: string; onChange: (code: string) => void }

function CodeField({ id, value, onChange }: CodeProps) {
  return (
    <div className="field">
      <label htmlFor={id}>
        <Trans>One-time code</Trans>
      </label>
      <span className="help" id={`${id}-help`}>
        <Trans>Six digits from your authenticator app, or a recovery code.</Trans>
      </span>
      <input
        id={id}
        className="input"
        autoComplete="one-time-code"
        aria-describedby={`${id}-help`}
        maxLength={30}
        value={value}
        onChange={(event) => onChange(event.target.value)}
      />
    </div>
  )
}

const here = () => encodeURIComponent(window.location.pathname + window.location.search)

/** The other ways to confirm, which leave the page. */
function Providers() {
  const providers = useSessionStore((state) => state.session?.settings.sign_in_with)
  if (!providers) return null
  return (
    <div className="stack">
      <p className="help">
        <Trans>Or sign in once more at your organisation. This page is then loaded again.</Trans>
      </p>
      {providers.map(({ name, label }) => (
        <a key={name} className="button" href={`/api/login/with/${name}?again=true&next=${here()}`}>
          <Trans>Confirm with {label}</Trans>
        </a>
      ))}
    </div>
  )
}
