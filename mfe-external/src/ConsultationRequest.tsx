import { Trans, useLingui } from '@lingui/react/macro'
import type { Client } from '@portal/client/client'
import { asProblem, type Problem } from '@portal/client/problem'
import { type Consultation, external } from '@portal/contracts/external'
import { Blank, Skeleton } from '@portal/ui/Blank'
import { Button } from '@portal/ui/Button'
import { Card } from '@portal/ui/Card'
import { DateText } from '@portal/ui/Money'
import { PageHead } from '@portal/ui/Page'
import { useCallback, useEffect, useState } from 'react'

type State = { consultation?: Consultation; problem?: Problem; loading: boolean }

/** What one consultant is asked, read with the invite of the address. */
export function ConsultationRequest({ client, invite }: { client: Pick<Client, 'call'>; invite: string }) {
  const { t } = useLingui()
  const [{ consultation, problem, loading }, setState] = useState<State>({ loading: true })
  const read = useCallback(async () => {
    setState({ loading: true })
    try {
      const answer = await client.call(external.read, { params: { invite }, invite })
      setState({ consultation: answer.complainReferral, loading: false })
    } catch (thrown) {
      setState({ problem: asProblem(thrown), loading: false })
    }
  }, [client, invite])
  useEffect(() => void read(), [read])
  return (
    <>
      <PageHead title={t`Consultation request`} />
      {loading && <Loading />}
      {problem && <InviteFailure problem={problem} onRetry={() => void read()} />}
      {consultation && (
        <Card title={consultation.number} note={<DateText iso={consultation.created_at} />} padded>
          <p className="pre-line">{consultation.comment}</p>
        </Card>
      )}
    </>
  )
}

function Loading() {
  return (
    <Card padded>
      <div className="stack" aria-busy="true">
        <Skeleton width="40%" />
        <Skeleton width="80%" />
        <Skeleton width="64%" />
      </div>
    </Card>
  )
}

/** The notice of section 8 for an invite that is not, or no longer, valid; a broken line may be tried again. */
function InviteFailure({ problem, onRetry }: { problem: Problem; onRetry: () => void }) {
  const { t } = useLingui()
  const offline = problem.kind === 'offline' || problem.kind === 'server'
  return (
    <Card>
      <Blank
        failed
        icon={offline ? 'plug' : 'mail'}
        title={t`Oops! Something doesn't seem right, we encountered an issue fetching the consultation request with your invite code.`}
        text={
          offline
            ? t`The server did not answer. Check the connection, then try again.`
            : t`The link may have expired or been withdrawn. Ask the person who invited you for a new one.`
        }
        actions={
          offline && (
            <Button variant="primary" icon="retry" onClick={onRetry}>
              <Trans>Try again</Trans>
            </Button>
          )
        }
      />
    </Card>
  )
}
