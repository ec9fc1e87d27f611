import { Trans, useLingui } from '@lingui/react/macro'
import type { SendingHold } from '@portal/contracts/transfers/sending-hold'
import { sendingHoldSteps } from '@portal/contracts/transfers/steps/hold'
import { formatNumber } from '@portal/i18n/format'
import { ListPage } from '@portal/screens/ListPage'
import { lazy } from '@portal/screens/lazy'
import { useDialog } from '@portal/screens/useDialog'
import { useCan } from '@portal/sdk'
import { Button } from '@portal/ui/Button'
import { Card } from '@portal/ui/Card'
import { DateText } from '@portal/ui/Money'
import { Notice } from '@portal/ui/Notice'
import { ProgressCard } from '@portal/ui/Progress'
import { PageState } from '../PageState.tsx'
import { paths } from '../paths.ts'
import { useHold } from '../useHold.tsx'
import { HeldDifferences } from './HeldDifferences.tsx'
import { HeldLists, HeldRounds } from './HeldTables.tsx'
import './words.ts'

const NextStep = lazy(() => import('../dialogs/NextStep.tsx'), 'NextStep')
const ReleaseDialog = lazy(() => import('./ReleaseDialog.tsx'), 'ReleaseDialog')

/** Why nothing is sent, what the agencies say, and the way out. */
export default function SendingHoldPage() {
  const { t } = useLingui()
  const can = useCan()
  const { hold, problem, refetch } = useHold()
  const releasing = useDialog()
  const back = { to: paths.overview, label: t`Transfers` }
  if (hold === undefined)
    return <PageState title={t`Held payments`} back={back} list={{ problem, retry: () => void refetch() }} />
  if (hold === null)
    return (
      <ListPage title={t`Held payments`} back={back}>
        <Card padded>
          <Notice tone="good" title={t`Nothing is held.`}>
            <Trans>Payments are sent on their days.</Trans>
          </Notice>
        </Card>
      </ListPage>
    )
  return (
    <ListPage
      title={t`Held payments`}
      description={<NextStep of={sendingHoldSteps} state="held" />}
      back={back}
      actions={
        can('cohorts.approve') && (
          <Button variant="primary" onClick={() => releasing.open(true)}>
            <Trans>Release payments</Trans>
          </Button>
        )
      }
    >
      <Notice tone="bad" icon="alert" title={t`No payments are being sent.`}>
        {hold.reasons.join(' ')}{' '}
        <Trans>
          Held since <DateText iso={hold.raised_at} time />. What was sent after{' '}
          <DateText iso={hold.known_until} time /> may be missing here.
        </Trans>
        {hold.asked < hold.entries && (
          <>
            {' '}
            <Trans>
              The agencies are asked from <DateText iso={hold.asks_from} time /> on: until then an order that
              had left before may still arrive.
            </Trans>
          </>
        )}
      </Notice>
      <Asking hold={hold} />
      <HeldDifferences hold={hold} />
      <HeldRounds rounds={hold.rounds} />
      <HeldLists lists={hold.lists} />
      {releasing.item && <ReleaseDialog hold={hold} onClose={releasing.close} />}
    </ListPage>
  )
}

function Asking({ hold }: { hold: SendingHold }) {
  const { t } = useLingui()
  const [asked, entries] = [formatNumber(hold.asked), formatNumber(hold.entries)]
  return (
    <ProgressCard
      title={t`Asking the agencies`}
      text={t`${asked} of ${entries} open payments were asked about by their reference.`}
      total={hold.entries}
      parts={[
        { key: 'asked', label: t`Asked about`, count: hold.asked, tone: 'good' },
        { key: 'left', label: t`Still to ask`, count: hold.entries - hold.asked, tone: 'rest' },
      ]}
    />
  )
}
