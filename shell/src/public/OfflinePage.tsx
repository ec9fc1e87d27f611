import { Trans, useLingui } from '@lingui/react/macro'
import { Brand } from '@portal/ui/Sidebar'

/** Stands in for a page that could not be fetched, out of the browser's own store: nothing of a person is on it. */
export function OfflinePage() {
  const { t } = useLingui()
  return (
    <div className="landing">
      <div className="landing-words">
        <header className="public-head">
          <Brand href="/" name={t`Girls’ education`} line={t`Cash transfers`} />
        </header>
        <main className="login">
          <h1>
            <Trans>There is no connection</Trans>
          </h1>
          <p className="muted">
            <Trans>
              This page could not be fetched. It opens by itself as soon as the connection is back; what you
              typed in other tabs is still there.
            </Trans>
          </p>
          <button type="button" className="button primary" data-retry>
            <Trans>Try again</Trans>
          </button>
        </main>
      </div>
      <div className="cloth plain" aria-hidden="true" />
    </div>
  )
}
