import { useLingui } from '@lingui/react/macro'
import { queryOf } from '@portal/client/query'
import { payrolls } from '@portal/contracts/transfers/payrolls'
import {
  type CorrectionDecision,
  recipientCorrections,
  type WaitingCorrection,
} from '@portal/contracts/transfers/recipient-corrections'
import { correctionSteps } from '@portal/contracts/transfers/steps/payment'
import { formatDateTime } from '@portal/i18n/format'
import { lazy } from '@portal/screens/lazy'
import { failureOf } from '@portal/screens/problemText'
import { useDialog } from '@portal/screens/useDialog'
import { useCan, useHost, useQuery } from '@portal/sdk'
import { Card } from '@portal/ui/Card'
import type { MenuItem } from '@portal/ui/Menu'
import { type Column, Table } from '@portal/ui/Table'
import { NextStep } from '../../dialogs/NextStep.tsx'
import { ReceiverNumber, receiverName } from '../../Receiver.tsx'
import { fullName } from '../../words.tsx'
import { CardPager, useCardPage } from './CardPager.tsx'
import './words.ts'

const DecideCorrectionDialog = lazy(() => import('./DecideCorrectionDialog.tsx'), 'DecideCorrectionDialog')

const WithdrawDialog = lazy(() => import('../../dialogs/WithdrawDialog.tsx'), 'WithdrawDialog')

type Deciding = { correction: WaitingCorrection; action: CorrectionDecision['action'] }

/** The corrections of recipients of a round that wait for a second person. */
export function CorrectionsCard({ groupId }: { groupId: number }) {
  const { t } = useLingui()
  const can = useCan()
  const { client } = useHost()
  const deciding = useDialog<Deciding>()
  const withdrawing = useDialog<WaitingCorrection>()
  const page = useCardPage('corrections')
  const query = { payroll_group_id: groupId, per_page: 100, page }
  const { data, error, refetch } = useQuery(queryOf(client, recipientCorrections.list, { query }))
  const corrections = data?.corrections
  const failure = data ? null : failureOf(error, refetch)
  // Another page is still read: the card stays.
  const isEmpty = corrections ? corrections.total === 0 : page === 1
  if (isEmpty && !failure && !deciding.item && !withdrawing.item) return null
  const columns: Column<WaitingCorrection>[] = [
    {
      key: 'name',
      header: t`Recipient`,
      phone: 'title',
      wrap: true,
      cell: ({ old_values }) => receiverName(old_values),
    },
    { key: 'old', header: t`Old`, cell: ({ old_values }) => <ReceiverNumber of={old_values} /> },
    {
      key: 'next',
      header: t`New`,
      wrap: true,
      cell: ({ old_values, new_values }) => (
        <div>
          <ReceiverNumber of={new_values} />
          {receiverName(old_values) !== receiverName(new_values) && <div>{receiverName(new_values)}</div>}
        </div>
      ),
    },
    { key: 'reason', header: t`Reason`, wrap: true },
    {
      key: 'user',
      header: t`Proposed by`,
      wrap: true,
      cell: ({ user, created_at }) => (
        <div>
          {fullName(user)}
          <div className="small muted">{formatDateTime(created_at)}</div>
        </div>
      ),
    },
  ]
  const menuOf = (correction: WaitingCorrection): MenuItem[] => {
    const items: MenuItem[] = []
    if (can('cohorts.approve'))
      items.push(
        {
          label: t`Approve the correction`,
          icon: 'good',
          onSelect: () => deciding.open({ correction, action: 'approved' }),
        },
        {
          label: t`Refuse the correction`,
          icon: 'x',
          onSelect: () => deciding.open({ correction, action: 'refused' }),
        },
      )
    if (correction.own && can('recipients.correct'))
      items.push({
        label: t`Withdraw the proposal`,
        icon: 'back',
        onSelect: () => withdrawing.open(correction),
      })
    return items
  }
  return (
    <Card
      title={t`Corrections to approve`}
      text={
        <>
          {t`Somebody has corrected these recipients. Another person approves it before money goes there.`}{' '}
          <NextStep of={correctionSteps} state="proposed" onlyNext />
        </>
      }
    >
      <Table
        compact
        label={t`Corrections to approve`}
        columns={columns}
        rows={corrections?.data}
        failure={failure}
        rowKey={({ id }) => id}
        empty={t`No data available`}
        rowName={({ old_values }) => receiverName(old_values)}
        {...((can('cohorts.approve') || can('recipients.correct')) && { rowActions: menuOf })}
      />
      <CardPager name="corrections" of={corrections} />
      {withdrawing.item && (
        <WithdrawDialog
          endpoint={recipientCorrections.withdraw}
          id={withdrawing.item.id}
          of={receiverName(withdrawing.item.old_values)}
          refetches={[recipientCorrections.list, payrolls.read]}
          onClose={withdrawing.close}
        />
      )}
      {deciding.item && <DecideCorrectionDialog {...deciding.item} onClose={deciding.close} />}
    </Card>
  )
}
