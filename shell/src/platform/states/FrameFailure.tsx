import { Trans } from '@lingui/react/macro'
import { currentLocale } from '@portal/i18n/locale'
import { Blank } from '@portal/ui/Blank'
import { Button } from '@portal/ui/Button'
import { Card } from '@portal/ui/Card'
import { PageHead } from '@portal/ui/Page'
import type { StateProps } from '../lazy-states.tsx'
import { Whose } from './Whose.tsx'

/** The page of an isolated module whose frame was given up. */
export function FrameFailure({ fault, reference, entry, of, onReload }: StateProps['FrameFailure']) {
  const title = entry.title[currentLocale()]
  return (
    <div className="stack">
      <PageHead title={title} />
      <Card>
        <Blank
          failed
          title={
            fault === 'silent' ? (
              <Trans>The module {title} does not answer</Trans>
            ) : (
              <Trans>The module {title} was stopped</Trans>
            )
          }
          text={
            <>
              <Trans>
                What was typed in it and not saved is lost. The rest of the portal is not affected.
              </Trans>
              <Whose entry={entry} of={of} reference={reference} />
            </>
          }
          actions={
            <Button variant="primary" icon="retry" onClick={onReload}>
              <Trans>Reload</Trans>
            </Button>
          }
        />
      </Card>
    </div>
  )
}

/** The same in the place of a card, or of another part of a page. */
export function PartFailure({ fault, reference, entry, of, onReload }: StateProps['PartFailure']) {
  const title = entry.title[currentLocale()]
  return (
    <div className="card-body stack close" role="alert">
      <p>
        <b>
          {fault === 'silent' ? (
            <Trans>The module {title} does not answer</Trans>
          ) : (
            <Trans>The module {title} was stopped</Trans>
          )}
          .
        </b>
        <Whose entry={entry} of={of} reference={reference} />
      </p>
      <div>
        <Button small icon="retry" onClick={onReload}>
          <Trans>Reload</Trans>
        </Button>
      </div>
    </div>
  )
}
