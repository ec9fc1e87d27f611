import { useLingui } from '@lingui/react/macro'
import type { Client } from '@portal/client/client'
import { asProblem, type Problem } from '@portal/client/problem'
import type { Consultation } from '@portal/contracts/cases/external'
import { Skeleton } from '@portal/ui/Blank'
import { Card } from '@portal/ui/Card'
import { PageHead } from '@portal/ui/Page'
import { useCallback, useEffect, useState } from 'react'
import { InviteFailure, Written } from './InviteFailure.tsx'
import { Receipt, type Sent } from './Receipt.tsx'
import { Request } from './Request.tsx'

type State = { consultation?: Consultation; problem?: Problem; typed?: string }
type Props = { client: Client; invite: string; read: () => Promise<Consultation> }

/** What one consultant is asked, and afterwards the receipt of what was sent. */
export function ConsultationPage({ client, invite, read }: Props) {
  const { t } = useLingui()
  const [{ consultation, problem, typed }, setState] = useState<State>({})
  const [sent, setSent] = useState<Sent>()
  const load = useCallback(
    async (typed = '') => {
      setState({})
      try {
        setState({ consultation: await read(), typed })
      } catch (thrown) {
        setState({ problem: asProblem(thrown), typed })
      }
    },
    [read],
  )
  useEffect(() => void load(), [load])
  const show = (next: Consultation, what?: Sent) => {
    setSent(what)
    setState({ consultation: next })
  }
  const ended = consultation && (consultation.resolved_at ?? consultation.rejected_at)
  return (
    <div className="guest">
      {problem && <InviteFailure problem={problem} typed={typed} onRetry={() => void load(typed)} />}
      {!problem && !consultation && (
        <>
          <PageHead title={t`Consultation request`} />
          <Card padded>
            <div className="stack" aria-busy="true">
              <Skeleton width="40%" />
              <Skeleton width="80%" />
              <Skeleton width="64%" />
            </div>
          </Card>
        </>
      )}
      {consultation &&
        (ended ? (
          <>
            <Receipt consultation={consultation} sent={sent} />
            <Written text={typed} />
          </>
        ) : (
          <Request
            key={consultation.id}
            consultation={consultation}
            client={client}
            invite={invite}
            onChange={show}
            onGone={(text) => void load(text)}
          />
        ))}
    </div>
  )
}
