import { Trans, useLingui } from '@lingui/react/macro'
import { currentLocale } from '@portal/i18n/locale'
import { Blank } from '@portal/ui/Blank'
import { Button } from '@portal/ui/Button'
import { Card } from '@portal/ui/Card'
import { PageHead } from '@portal/ui/Page'
import type { StateProps } from '../lazy-states.tsx'
import { useFailureWords } from './useFailureWords.ts'
import { Whose } from './Whose.tsx'

/** What to say of a frame that was given up. `lost`: something may have been typed in it. */
function useFrameWords({ fault, entry }: Pick<StateProps['FrameFailure'], 'fault' | 'entry'>) {
  const { t } = useLingui()
  const unreachable = useFailureWords(entry, { reason: 'unreachable', file: '' })
  if (fault === 'unreachable') return { title: unreachable.title, text: unreachable.text, lost: false }
  const title = entry.title[currentLocale()]
  const sentence =
    fault === 'silent' ? t`The module ${title} does not answer` : t`The module ${title} was stopped`
  return { title: sentence, text: '', lost: true }
}

/** The page of an isolated module whose frame was given up. */
export function FrameFailure({ fault, reference, entry, of, onReload }: StateProps['FrameFailure']) {
  const { title, text, lost } = useFrameWords({ fault, entry })
  return (
    <div className="stack">
      <PageHead title={entry.title[currentLocale()]} />
      <Card>
        <Blank
          failed
          title={title}
          text={
            <>
              {text}
              {lost && (
                <Trans>
                  What was typed in it and not saved is lost. The rest of the portal is not affected.
                </Trans>
              )}
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
  const { title, text } = useFrameWords({ fault, entry })
  return (
    <div className="card-body stack close" role="alert">
      <p>
        <b>{title}.</b> {text}
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
