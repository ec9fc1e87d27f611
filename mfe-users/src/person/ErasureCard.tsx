import { Trans, useLingui } from '@lingui/react/macro'
import type { Erasure, PersonData } from '@portal/contracts/access/person-data'
import { lazy } from '@portal/screens/lazy'
import { useDialog } from '@portal/screens/useDialog'
import { useHost, useSession } from '@portal/sdk'
import { Button } from '@portal/ui/Button'
import { Card } from '@portal/ui/Card'
import { Sheet } from '@portal/ui/Figures'
import { DateText } from '@portal/ui/Money'
import { fullName } from '../words.ts'
import { ErasurePill } from './erasure-words.tsx'

const DecideErasureDialog = lazy(() => import('./DecideErasureDialog.tsx'), 'DecideErasureDialog')
const WithdrawErasureDialog = lazy(() => import('./WithdrawErasureDialog.tsx'), 'WithdrawErasureDialog')

type Props = { erasure: Erasure; parts: PersonData['parts'] }

/** The latest request to erase this person: its state, who asked and decided, and what this reader may do. */
export function ErasureCard({ erasure, parts }: Props) {
  const { t } = useLingui()
  const { can } = useHost()
  const { user } = useSession()
  const deciding = useDialog<'approved' | 'refused'>()
  const withdrawing = useDialog()
  const { asked_by, decided_by, decision, bars } = erasure
  const own = asked_by.id === user.id
  const facts = [
    {
      key: 'state',
      label: t`State`,
      value: <ErasurePill {...erasure} />,
      note:
        erasure.overdue &&
        t`Approved more than two days ago and not carried out: tell whoever operates the portal.`,
    },
    {
      key: 'asked',
      label: t`Asked by`,
      value: fullName(asked_by),
      note: <DateText iso={erasure.created_at} time />,
    },
    { key: 'reason', label: t`Reason`, value: <span className="pre-line">{erasure.reason}</span> },
    decided_by && {
      key: 'decided',
      label: t`Decided by`,
      value: fullName(decided_by),
      note: <DateText iso={erasure.decided_at} time />,
    },
    decision && {
      key: 'decision',
      label: t`Reason of the decision`,
      value: <span className="pre-line">{decision}</span>,
    },
    bars.length > 0 && {
      key: 'bars',
      label: t`What stood against it`,
      value: bars.map((bar) => <p key={bar}>{bar}</p>),
    },
  ].filter((fact) => !!fact)
  const actions =
    can('people.erase') &&
    erasure.state === 'asked' &&
    (own ? (
      <Button onClick={() => withdrawing.open(true)}>
        <Trans>Take back</Trans>
      </Button>
    ) : (
      <div className="actions">
        <Button onClick={() => deciding.open('refused')}>
          <Trans>Refuse</Trans>
        </Button>
        <Button variant="danger" onClick={() => deciding.open('approved')}>
          <Trans>Approve erasure</Trans>
        </Button>
      </div>
    ))
  return (
    <Card
      title={t`Erasure`}
      text={own && erasure.state === 'asked' && t`You asked for it, so somebody else must decide.`}
      actions={actions}
    >
      <Sheet facts={facts} />
      {deciding.item && (
        <DecideErasureDialog
          erasure={erasure}
          parts={parts}
          action={deciding.item}
          onClose={deciding.close}
        />
      )}
      {withdrawing.item && <WithdrawErasureDialog erasure={erasure} onClose={withdrawing.close} />}
    </Card>
  )
}
