import { Trans } from '@lingui/react/macro'
import type { Problem } from '@portal/client/problem'
import { Button } from '@portal/ui/Button'
import { Notice } from '@portal/ui/Notice'
import { problemText } from './problemText.tsx'

type Props = { problem: Problem | null; onRetry: () => unknown }

/** Above what was read before: why it could not be read again, and another try. Nothing without a problem. */
export function NotReadAgain({ problem, onRetry }: Props) {
  if (!problem) return null
  const retry = (
    <Button small icon="retry" vanishes onClick={() => void onRetry()}>
      <Trans>Try again</Trans>
    </Button>
  )
  return (
    <Notice tone="bad" alert actions={retry}>
      {problemText(problem)}
    </Notice>
  )
}
