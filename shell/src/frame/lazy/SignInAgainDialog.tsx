import { Trans, useLingui } from '@lingui/react/macro'
import { asProblem } from '@portal/client/problem'
import { session } from '@portal/contracts/session'
import { problemText } from '@portal/screens/problemText'
import { Button } from '@portal/ui/Button'
import { Dialog } from '@portal/ui/Dialog'
import { Notice } from '@portal/ui/Notice'
import { useId, useState } from 'react'
import { client, queryClient } from '../../session/client.ts'
import { useSessionStore } from '../../session/session.ts'
import { toSignIn } from '../../session/to-sign-in.ts'

const here = () => encodeURIComponent(window.location.pathname + window.location.search)

type Props = {
  /** A call asks to re-authenticate; otherwise the session has ended. */
  confirming?: ((proved: boolean) => void) | undefined
}

/** Signs in over the open page. After a session has ended no call is repeated automatically. */
export function SignInAgainDialog({ confirming }: Props) {
  const { t } = useLingui()
  const user = useSessionStore((state) => state.session?.user)
  const providers = useSessionStore((state) => state.session?.settings.sign_in_with)
  const begin = useSessionStore((state) => state.begin)
  const [password, setPassword] = useState('')
  // Null until the server asks for one.
  const [code, setCode] = useState<string | null>(null)
  const [busy, setBusy] = useState(false)
  const [failure, setFailure] = useState<string | null>(null)
  const id = useId()
  const email = user?.email ?? ''

  const signIn = async () => {
    setBusy(true)
    setFailure(null)
    try {
      const answer = await client.call(session.signIn, {
        body: { email, password, ...(code && { code }) },
      })
      // What is on the page belongs to the person who opened it.
      if (answer.session.user?.id !== user?.id) return window.location.assign('/home')
      begin(answer.session)
      if (confirming) return confirming(true)
      await queryClient.invalidateQueries()
    } catch (thrown) {
      const problem = asProblem(thrown)
      if (problem.errors.code) setCode(code ?? '')
      setFailure(problem.message || problemText(problem))
    } finally {
      setBusy(false)
    }
  }

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
      {code !== null && (
        <div className="field">
          <label htmlFor={`${id}-code`}>
            <Trans>One-time code</Trans>
          </label>
          <span className="help" id={`${id}-code-help`}>
            <Trans>Six digits from your authenticator app, or a recovery code.</Trans>
          </span>
          <input
            id={`${id}-code`}
            className="input"
            autoComplete="one-time-code"
            aria-describedby={`${id}-code-help`}
            maxLength={30}
            value={code}
            onChange={(event) => setCode(event.target.value)}
          />
        </div>
      )}
      {confirming && providers && (
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
      )}
    </Dialog>
  )
}
