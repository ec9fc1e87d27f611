import { Trans } from '@lingui/react/macro'
import { Button } from '@portal/ui/Button'
import type { StateProps } from '../lazy-states.tsx'
import { useFailureWords } from './useFailureWords.ts'
import { Whose } from './Whose.tsx'

/** A card of the home page that could not be shown: said in its own place. */
export function CardFailure({ entry, failed, onRetry }: StateProps['CardFailure']) {
  const { title, text, retry } = useFailureWords(entry, failed.failure)
  return (
    <div className="card-body stack close" role="alert">
      <p>
        <b>{title}.</b> {text}
        <Whose entry={entry} of={failed.ref} reference={failed.reference} />
      </p>
      {retry && (
        <div>
          <Button small icon="retry" onClick={onRetry}>
            <Trans>Try again</Trans>
          </Button>
        </div>
      )}
    </div>
  )
}
