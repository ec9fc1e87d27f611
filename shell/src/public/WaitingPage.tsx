import { Trans, useLingui } from '@lingui/react/macro'
import { Brand } from '@portal/ui/Sidebar'
import type { ReactNode } from 'react'

/** A page that waits, and is replaced by the wanted one as soon as that can be fetched (`offline.ts`). */
export function WaitingPage({ title, children }: { title: string; children: ReactNode }) {
  const { t } = useLingui()
  return (
    <div className="landing">
      <div className="landing-words">
        <header className="public-head">
          <Brand href="/" name={t`Girls’ education`} line={t`Cash transfers`} />
        </header>
        <main className="login">
          <h1>{title}</h1>
          <p className="muted">{children}</p>
          <button type="button" className="button primary" data-retry>
            <Trans>Try again</Trans>
          </button>
        </main>
      </div>
      <div className="cloth plain" aria-hidden="true" />
    </div>
  )
}
