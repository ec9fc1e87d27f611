import { Trans, useLingui } from '@lingui/react/macro'
import type { Problem } from '@portal/client/problem'
import { Blank } from '@portal/ui/Blank'
import { Button } from '@portal/ui/Button'
import { Card } from '@portal/ui/Card'

type Props = { problem: Problem; typed?: string | undefined; onRetry: () => void }

/**
 * The notice (Cases 4.4), the same for every link that is not or no longer valid; a broken line may be tried again. Whoever was typing
 * when the link ended can still copy what she had written.
 */
export function InviteFailure({ problem, typed, onRetry }: Props) {
  const { t } = useLingui()
  const wrong = problem.kind === 'missing'
  const slow = problem.status === 429
  return (
    <>
      <Card>
        <Blank
          heading="h1"
          failed
          icon={wrong ? 'mail' : slow ? 'clock' : 'plug'}
          title={
            wrong
              ? t`Oops! Something doesn't seem right, we encountered an issue fetching the consultation request with your invite code.`
              : slow
                ? t`Too many attempts`
                : t`The request could not be loaded`
          }
          text={
            wrong
              ? t`The link may have expired or been withdrawn. Ask the person who invited you for a new one.`
              : (slow && problem.message) ||
                t`The server did not answer. Check the connection, then try again.`
          }
          actions={
            !wrong && (
              <Button variant="primary" icon="retry" onClick={onRetry}>
                <Trans>Try again</Trans>
              </Button>
            )
          }
        />
      </Card>
      <Written text={typed} />
    </>
  )
}

/** What somebody had written when the request ended, to copy. */
export function Written({ text }: { text: string | undefined }) {
  const { t } = useLingui()
  if (!text) return null
  return (
    <Card title={t`What you had written`} padded>
      <p className="pre-line">{text}</p>
    </Card>
  )
}
