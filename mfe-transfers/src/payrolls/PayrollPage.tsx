import { Trans, useLingui } from '@lingui/react/macro'
import type { PayrollEntry } from '@portal/contracts/payrolls'
import { transfers } from '@portal/contracts/transfers'
import { type Column, DataTable } from '@portal/screens/DataTable'
import { ExportButton } from '@portal/screens/ExportButton'
import { lazy } from '@portal/screens/lazy'
import { useDialog } from '@portal/screens/useDialog'
import { useList } from '@portal/screens/useList'
import { Button } from '@portal/ui/Button'
import { DateText, Money, Nothing } from '@portal/ui/Money'
import { useParams } from 'react-router-dom'
import { PageState } from '../PageState.tsx'
import { PaymentPill, paymentChips } from '../PaymentPill.tsx'
import { paths } from '../paths.ts'
import { ReceiverNumber, receiverName } from '../Receiver.tsx'
import { TransferPage } from '../TransferPage.tsx'
import { ExceptionsCard } from './ExceptionsCard.tsx'
import type { Retry } from './RetryPaymentsDialog.tsx'
import { RoundFigures } from './RoundFigures.tsx'

const RetryPaymentsDialog = lazy(() => import('./RetryPaymentsDialog.tsx'), 'RetryPaymentsDialog')

/** One disbursement round: every payment with its transaction. */
export default function PayrollPage() {
  const { t } = useLingui()
  const groupId = Number(useParams().groupId)
  const columns = useColumns()
  const retrying = useDialog<Retry & { onDone: () => void }>()
  const list = useList(transfers.payroll, (answer) => answer.payrollGroup.transfer_payrolls, {
    params: { groupId },
    every: 5000,
    until: ({ payrollGroup }) => payrollGroup.pending === 0,
  })
  const group = list.answer?.payrollGroup
  const back = {
    to: group ? paths.payrolls(group.transfer_cohort.id) : paths.reconciliations,
    label: group ? t`Disbursement rounds` : t`Reconciliations`,
  }
  if (!group) return <PageState title={t`Payroll details`} back={back} list={list} />

  const due = <DateText iso={group.due_on} />
  return (
    <TransferPage
      title={t`Round ${group.n}`}
      description={
        <Trans>
          {group.transfer_cohort.name} · due on {due}
        </Trans>
      }
      back={back}
      actions={
        group.count > 0 && (
          <ExportButton
            endpoint={transfers.exportPayroll}
            body={{ payroll_id: group.id }}
            permission="payrolls.export"
          >
            <Trans>Export Payroll (Excel)</Trans>
          </ExportButton>
        )
      }
    >
      <RoundFigures group={group} />
      <ExceptionsCard exceptions={group.exceptions} />
      <DataTable
        label={t`Payroll details`}
        list={list}
        columns={columns}
        rowName={receiverName}
        chosenActs={
          group.failed === 0
            ? []
            : [
                {
                  key: 'retry',
                  permission: 'cohorts.approve',
                  draw: (chosen, onDone) => (
                    <Button small icon="retry" onClick={() => retrying.open({ ...retryOf(chosen), onDone })}>
                      <Trans>Retry the selection</Trans>
                    </Button>
                  ),
                },
              ]
        }
        search={t`Name, number or transaction id`}
        filters={[
          {
            name: 'status',
            label: t`Status`,
            total: group.count,
            options: paymentChips({
              success: group.successful,
              failed: group.failed,
              unknown: group.unknown,
              // The round counts the two together: none of both is all that is known of each.
              ...(group.pending === 0 && { pending: 0, sending: 0 }),
            }),
          },
        ]}
        empty={t`No payroll details available yet`}
      />
      {retrying.item && (
        <RetryPaymentsDialog
          retry={retrying.item}
          of={t`${group.transfer_cohort.name} · Round ${group.n}`}
          barred={group.retry_barred}
          onDone={retrying.item.onDone}
          onClose={() => {
            retrying.close()
            // What was refused changed meanwhile: the list shows how.
            list.retry()
          }}
        />
      )}
    </TransferPage>
  )
}

/** Of the chosen payments those that failed are made again. */
function retryOf(chosen: readonly PayrollEntry[]): Retry {
  const failed = chosen.filter(({ status }) => status === 'failed')
  return {
    wanted: { payroll_ids: failed.map(({ id }) => id) },
    count: failed.length,
    amount: failed.reduce((sum, { amount }) => sum + amount, 0),
    others: chosen.length - failed.length,
  }
}

function useColumns(): Column<PayrollEntry>[] {
  const { t } = useLingui()
  return [
    {
      key: 'external_trx_id',
      header: t`Transaction id`,
      cell: ({ external_trx_id: trx }) => (trx ? <span className="mono">{trx}</span> : <Nothing />),
    },
    { key: 'receiver_last_name', header: t`Parent name`, sortable: true, phone: 'title', cell: receiverName },
    {
      key: 'number',
      header: t`Recipient number`,
      phone: 'note',
      cell: (entry) => <ReceiverNumber of={entry} />,
    },
    {
      key: 'amount',
      header: t`Amount (XOF)`,
      align: 'right',
      sortable: true,
      phone: 'note',
      cell: ({ amount }) => <Money amount={amount} currency={false} />,
    },
    {
      key: 'status',
      header: t`Status`,
      gap: true,
      wrap: true,
      phone: 'main',
      cell: ({ status, failure_reason }) => <PaymentPill strict status={status} reason={failure_reason} />,
    },
    {
      key: 'updated_at',
      header: t`Timestamp`,
      sortable: true,
      cell: ({ updated_at }) => <DateText iso={updated_at} time />,
    },
  ]
}
