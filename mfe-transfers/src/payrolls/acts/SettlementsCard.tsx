import { useLingui } from '@lingui/react/macro'
import { queryOf } from '@portal/client/query'
import {
  paymentSettlements,
  type SettlementDecision,
  type WaitingSettlement,
} from '@portal/contracts/transfers/payment-settlements'
import { payrolls } from '@portal/contracts/transfers/payrolls'
import { settlementSteps } from '@portal/contracts/transfers/steps/payment'
import { formatDateTime } from '@portal/i18n/format'
import { lazy } from '@portal/screens/lazy'
import { failureOf } from '@portal/screens/problemText'
import { useDialog } from '@portal/screens/useDialog'
import { useCan, useHost, useQuery } from '@portal/sdk'
import { Card } from '@portal/ui/Card'
import type { MenuItem } from '@portal/ui/Menu'
import { Money } from '@portal/ui/Money'
import { type Column, Table } from '@portal/ui/Table'
import { NextStep } from '../../dialogs/NextStep.tsx'
import { ReceiverNumber, receiverName } from '../../Receiver.tsx'
import { fullName } from '../../words.tsx'
import { CardPager, useCardPage } from './CardPager.tsx'
import './words.ts'

const DecideSettlementDialog = lazy(() => import('./DecideSettlementDialog.tsx'), 'DecideSettlementDialog')

const WithdrawDialog = lazy(() => import('../../dialogs/WithdrawDialog.tsx'), 'WithdrawDialog')

type Deciding = { settlement: WaitingSettlement; action: SettlementDecision['action'] }

/** The settlements of a round that wait for a second person. */
export function SettlementsCard({ groupId }: { groupId: number }) {
  const { t } = useLingui()
  const can = useCan()
  const { client } = useHost()
  const deciding = useDialog<Deciding>()
  const withdrawing = useDialog<WaitingSettlement>()
  const page = useCardPage('settlements')
  const query = { payroll_group_id: groupId, per_page: 100, page }
  const { data, error, refetch } = useQuery(queryOf(client, paymentSettlements.list, { query }))
  const settlements = data?.settlements
  const failure = data ? null : failureOf(error, refetch)
  // Another page is still read: the card stays.
  const isEmpty = settlements ? settlements.total === 0 : page === 1
  if (isEmpty && !failure && !deciding.item && !withdrawing.item) return null
  const columns: Column<WaitingSettlement>[] = [
    { key: 'name', header: t`Recipient`, phone: 'title', wrap: true, cell: receiverName },
    { key: 'number', header: t`Recipient number`, cell: (each) => <ReceiverNumber of={each} /> },
    {
      key: 'amount',
      header: t`Amount (XOF)`,
      align: 'right',
      cell: ({ amount }) => <Money amount={amount} currency={false} />,
    },
    {
      key: 'outcome',
      header: t`What the evidence says`,
      wrap: true,
      phone: 'main',
      cell: ({ outcome, reason }) => (
        <div>
          {outcome === 'paid' ? t`The family was paid` : t`The family was not paid`}
          <div className="small muted">{reason}</div>
        </div>
      ),
    },
    {
      key: 'user',
      header: t({ message: 'Proposed by', context: 'settlement' }),
      wrap: true,
      cell: ({ user, created_at }) => (
        <div>
          {fullName(user)}
          <div className="small muted">{formatDateTime(created_at)}</div>
        </div>
      ),
    },
  ]
  const menuOf = (settlement: WaitingSettlement): MenuItem[] => {
    const items: MenuItem[] = []
    if (can('cohorts.approve'))
      items.push(
        {
          label: t`Approve the settlement`,
          icon: 'good',
          onSelect: () => deciding.open({ settlement, action: 'approved' }),
        },
        {
          label: t`Refuse the settlement`,
          icon: 'x',
          onSelect: () => deciding.open({ settlement, action: 'refused' }),
        },
      )
    if (settlement.own && can('cohorts.create'))
      items.push({
        label: t`Withdraw the proposal`,
        icon: 'back',
        onSelect: () => withdrawing.open(settlement),
      })
    return items
  }
  return (
    <Card
      title={t`Settlements to approve`}
      text={
        <>
          {t`The agency does not say what became of these payments. Another person looks at the evidence and decides.`}{' '}
          <NextStep of={settlementSteps} state="proposed" onlyNext />
        </>
      }
    >
      <Table
        compact
        label={t`Settlements to approve`}
        columns={columns}
        rows={settlements?.data}
        failure={failure}
        rowKey={({ id }) => id}
        empty={t`No data available`}
        rowName={receiverName}
        {...((can('cohorts.approve') || can('cohorts.create')) && { rowActions: menuOf })}
      />
      <CardPager name="settlements" of={settlements} />
      {withdrawing.item && (
        <WithdrawDialog
          endpoint={paymentSettlements.withdraw}
          id={withdrawing.item.id}
          of={receiverName(withdrawing.item)}
          refetches={[paymentSettlements.list, payrolls.read]}
          onClose={withdrawing.close}
        />
      )}
      {deciding.item && <DecideSettlementDialog {...deciding.item} onClose={deciding.close} />}
    </Card>
  )
}
