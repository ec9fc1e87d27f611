import { Trans, useLingui } from '@lingui/react/macro'
import { IconButton } from '@portal/ui/Button'
import { Icon } from '@portal/ui/Icon'
import type { ReactNode } from 'react'
import { PublicHead } from './PublicHead.tsx'

/** A page with one form before the sign-in: words at the left, the cloth at the right. */
export function PublicPage({
  title,
  text,
  children,
}: {
  title: ReactNode
  text: ReactNode
  children: ReactNode
}) {
  return (
    <div className="landing">
      <div className="landing-words">
        <PublicHead />
        <main className="login">
          <h1>{title}</h1>
          <p className="muted">{text}</p>
          {children}
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

/**
 * The static form. It is rendered at build time; `live-form.ts` adds its behaviour in a few KB. Until then nothing sends it,
 * neither its button nor Enter: the server has no page for what a browser would send. `done` replaces it after success.
 */
export function PublicForm({
  submit,
  done,
  children,
}: {
  submit: ReactNode
  done?: ReactNode
  children: ReactNode
}) {
  const { t } = useLingui()
  return (
    <>
      <form
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
        {children}
        <button className="button primary" type="submit" disabled>
          <Icon name="spin" size={16} />
          {submit}
        </button>
      </form>
      {done && (
        <div className="stack" id="done" hidden>
          <div className="notice good" role="status">
            <Icon name="good" />
            <div className="pre-line" id="notice" tabIndex={-1} />
          </div>
          {done}
        </div>
      )}
    </>
  )
}

/** Label, help, the box, and where its error will stand. */
export function PublicField({
  name,
  label,
  help,
  hidden,
  children,
}: {
  name: string
  label: string
  help?: ReactNode
  hidden?: boolean
  children: ReactNode
}) {
  return (
    <div className="field" hidden={hidden}>
      <label htmlFor={name}>{label}</label>
      {help && (
        <p className="help" id={`${name}-help`}>
          {help}
        </p>
      )}
      {children}
      <p className="error-text" id={`${name}-error`} hidden>
        <Icon name="bad" size={14} />
        <span />
      </p>
    </div>
  )
}

/** A person's e-mail address, as browsers remember it. */
export function EmailBox() {
  const { t } = useLingui()
  return (
    <PublicField name="email" label={t`Email`}>
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
    </PublicField>
  )
}

/** A password that can be looked at while it is typed. */
export function PasswordBox({ help, fresh }: { help?: ReactNode; fresh?: boolean }) {
  const { t } = useLingui()
  return (
    <PublicField name="password" label={fresh ? t`New password` : t`Password`} help={help}>
      <span className="with-end">
        <input
          className="input"
          id="password"
          name="password"
          type="password"
          autoComplete={fresh ? 'new-password' : 'current-password'}
          autoCapitalize="none"
          spellCheck={false}
          aria-describedby={help ? 'password-help password-error' : 'password-error'}
          maxLength={200}
          required
        />
        <IconButton icon="eye" id="show" label={t`Show password`} aria-pressed={false} />
      </span>
    </PublicField>
  )
}
