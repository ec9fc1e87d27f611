import { Trans } from '@lingui/react/macro'

/** What stands there until the portal draws itself: the frame's outline, and a word for slow lines. */
export function PortalStart() {
  return (
    <div className="app portal-start">
      <aside className="sidebar">
        <div className="selvedge" />
        <span className="brand">
          {/* The tab's own icon: the drawing itself would be a seventeenth of the document. */}
          <img className="mark" src="/assets/mark.svg" alt="" fetchPriority="low" />
        </span>
      </aside>
      <div className="main">
        <div className="topbar" />
        <main className="page">
          <p className="muted" role="status">
            <Trans>The portal is opening…</Trans>
          </p>
          <noscript>
            <Trans>
              The portal needs JavaScript. Switch it on in your browser, then load this page again.
            </Trans>
          </noscript>
        </main>
      </div>
    </div>
  )
}
