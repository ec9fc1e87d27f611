import { Trans, useLingui } from '@lingui/react/macro'
import { Blank } from '@portal/ui/Blank'
import { Button } from '@portal/ui/Button'

/** The portal itself could not begin: no session could be read. */
export function StartFailure() {
  const { t } = useLingui()
  return (
    <main className="page start-failure">
      <h1>
        <Trans>The portal could not be opened</Trans>
      </h1>
      <section className="card">
        <Blank
          failed
          icon="plug"
          title={t`An unexpected error occurred. Please try again later.`}
          text={t`The server did not answer. Nothing was changed.`}
          actions={
            <Button variant="primary" icon="retry" onClick={() => window.location.reload()}>
              <Trans>Try again</Trans>
            </Button>
          }
        />
      </section>
    </main>
  )
}
