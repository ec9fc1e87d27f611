import { Trans, useLingui } from '@lingui/react/macro'
import { shownStatuses } from '@portal/contracts/cohorts'
import type { AnswerOf } from '@portal/contracts/endpoint'
import type { PaymentAct, RoundPayment } from '@portal/contracts/payrolls'
import { transfers } from '@portal/contracts/transfers'
import { type ChosenAct, type Column, DataTable, type RowAction } from '@portal/screens/DataTable'
import { ExportButton } from '@portal/screens/ExportButton'
import { lazy } from '@portal/screens/lazy'
import { useDialog } from '@portal/screens/useDialog'
import { useList } from '@portal/screens/useList'
import { useCan } from '@portal/sdk'
import { Button } from '@portal/ui/Button'
import { DateText, Money, Nothing } from '@portal/ui/Money'
import { useParams } from 'react-router-dom'
import { NamePill } from '../NamePill.tsx'
import { PageState } from '../PageState.tsx'
import { paymentChips } from '../PaymentPill.tsx'
import { paths } from '../paths.ts'
import { ReceiverNumber, receiverName } from '../Receiver.tsx'
import { TransferPage } from '../TransferPage.tsx'
import { actedOn } from './acted.ts'
import { PaymentState } from './PaymentState.tsx'
import { RoundFigures } from './RoundFigures.tsx'
import './words.ts'

const BankFilesCard = lazy(() => import('./bank/BankFilesCard.tsx'), 'BankFilesCard')
const ConfirmedCard = lazy(() => import('../dialogs/ConfirmedCard.tsx'), 'ConfirmedCard')
const ExceptionsCard = lazy(() => import('../dialogs/answers/ExceptionsCard.tsx'), 'ExceptionsCard')
const HoldPayeeDialog = lazy(() => import('../dialogs/HoldPayeeDialog.tsx'), 'HoldPayeeDialog')
const CorrectionsCard = lazy(() => import('./acts/CorrectionsCard.tsx'), 'CorrectionsCard')
const SettlementsCard = lazy(() => import('./acts/SettlementsCard.tsx'), 'SettlementsCard')
const SettlePaymentDialog = lazy(() => import('./acts/SettlePaymentDialog.tsx'), 'SettlePaymentDialog')
const WriteOffDialog = lazy(() => import('./acts/WriteOffDialog.tsx'), 'WriteOffDialog')
const CorrectRecipientDialog = lazy(
  () => import('./acts/CorrectRecipientDialog.tsx'),
  'CorrectRecipientDialog',
)
const AskNameDialog = lazy(() => import('./acts/AskNameDialog.tsx'), 'AskNameDialog')
const RetryPaymentsDialog = lazy(() => import('./acts/RetryPaymentsDialog.tsx'), 'RetryPaymentsDialog')

type Round = AnswerOf<typeof transfers.payroll>['payrollGroup']

/** One disbursement round: every payment with its transaction. */
export default function PayrollPage() {
  const { t } = useLingui()
  const groupId = Number(useParams().groupId)
  const can = useCan()
  const columns = useColumns()
  const looks = useActLooks()
  const holding = useDialog<number>()
  const naming = useDialog<RoundPayment>()
  const acting = useDialog<{ act: PaymentAct; chosen: RoundPayment[]; onDone?: () => void }>()
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

  const dialog = {
    of: t`${group.transfer_cohort.name} · Round ${group.n}`,
    onDone: () => acting.item?.onDone?.(),
    onClose: () => {
      acting.close()
      // What was refused changed meanwhile: the list shows how.
      list.retry()
    },
  }
  const menuOf = (payment: RoundPayment): RowAction[] => {
    const acts: RowAction[] = payment.acts.map((act) => ({
      ...looks[act],
      onSelect: () => acting.open({ act, chosen: [payment] }),
    }))
    if (group.tells_names && payment.status === 'failed' && payment.receiver_phone_number)
      acts.push({ ...looks.name, onSelect: () => naming.open(payment) })
    if (payment.held) return acts
    return [...acts, { ...looks.hold, onSelect: () => holding.open(payment.student_id) }]
  }
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
            body={{
              payroll_id: group.id,
              search: list.view.search,
              status: shownStatuses.find((status) => status === list.view.filter('status')),
            }}
            permission="payrolls.export"
          >
            <Trans>Export Payroll (Excel)</Trans>
          </ExportButton>
        )
      }
    >
      <RoundFigures group={group} />
      {group.successful > 0 && (
        <ConfirmedCard
          confirmed={{
            payments_disbursed: group.successful,
            payments_confirmed: group.confirmed,
            total_amount_confirmed: group.confirmed_amount,
          }}
          disbursed={group.disbursed}
        />
      )}
      {group.takes_files && <BankFilesCard groupId={group.id} />}
      {group.exceptions.length > 0 && <ExceptionsCard groupId={group.id} exceptions={group.exceptions} />}
      {group.pending + group.unknown > 0 && <SettlementsCard groupId={group.id} />}
      {group.arrears > 0 && <CorrectionsCard groupId={group.id} />}
      <DataTable
        label={t`Payroll details`}
        list={list}
        columns={columns}
        rowName={receiverName}
        {...(Object.values(looks).some(({ permission }) => can(permission)) && { rowActions: menuOf })}
        chosenActs={
          group.arrears + group.pending === 0
            ? []
            : manyActs.map(
                (act): ChosenAct<RoundPayment> => ({
                  key: act,
                  permission: looks[act].permission,
                  draw: (chosen, onDone) => (
                    <Button small icon={looks[act].icon} onClick={() => acting.open({ act, chosen, onDone })}>
                      {looks[act].forMany}
                    </Button>
                  ),
                }),
              )
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
              withheld: group.withheld,
              written_off: group.written_off_count,
              unknown: group.unknown,
              // The round counts the two together: none of both is all that is known of each.
              ...(group.pending === 0 && { pending: 0, sending: 0 }),
            }),
          },
        ]}
        empty={t`No payroll details available yet`}
      />
      {holding.item && <HoldPayeeDialog studentId={holding.item} onClose={holding.close} />}
      {naming.item && <AskNameDialog payment={naming.item} onClose={naming.close} />}
      {acting.item && <ActDialog {...acting.item} group={group} {...dialog} />}
    </TransferPage>
  )
}

type ActProps = {
  act: PaymentAct
  chosen: RoundPayment[]
  group: Round
  of: string
  onDone: () => void
  onClose: () => void
}

/** The dialog of an act on the chosen payments. */
function ActDialog({ act, chosen, group, ...dialog }: ActProps) {
  const payments = actedOn(chosen, act)
  const [first] = chosen
  if (act === 'correct')
    return first ? (
      <CorrectRecipientDialog payment={first} tellsNames={group.tells_names} onClose={dialog.onClose} />
    ) : null
  if (act === 'settle') return first ? <SettlePaymentDialog payment={first} onClose={dialog.onClose} /> : null
  if (act === 'write_off')
    return <WriteOffDialog payments={payments} barred={group.write_off_barred} {...dialog} />
  const retry = { ...payments, wanted: { payroll_ids: payments.ids } }
  return <RetryPaymentsDialog retry={retry} barred={group.retry_barred} {...dialog} />
}

/** Acts that are done for many payments at once. */
const manyActs = ['retry', 'write_off'] as const

/** How each act is offered: in the menu of a payment, and above the list for all that are chosen. */
function useActLooks() {
  const { t } = useLingui()
  const can = useCan()
  return {
    hold: {
      label: t`Put the girl on hold`,
      icon: 'stop',
      permission: 'holds.manage',
    },
    name: {
      label: t`Ask the agency for the name`,
      icon: 'question',
      permission: can('cohorts.create') ? 'cohorts.create' : 'cohorts.approve',
    },
    retry: { label: t`Retry`, forMany: t`Retry the selection`, icon: 'retry', permission: 'cohorts.approve' },
    correct: { label: t`Correct the recipient`, icon: 'pencil', permission: 'recipients.correct' },
    settle: { label: t`Settle with evidence`, icon: 'check', permission: 'cohorts.create' },
    write_off: {
      label: t`Write off`,
      forMany: t`Write off the selection`,
      icon: 'x',
      permission: 'arrears.write-off',
    },
  } as const
}

function useColumns(): Column<RoundPayment>[] {
  const { t } = useLingui()
  return [
    {
      key: 'external_trx_id',
      header: t`Transaction id`,
      cell: ({ external_trx_id: trx }) => (trx ? <span className="mono">{trx}</span> : <Nothing />),
    },
    {
      key: 'receiver_last_name',
      header: t`Parent name`,
      sortable: true,
      phone: 'title',
      cell: (payment) => (
        <>
          {receiverName(payment)}
          {payment.name_state && (
            <div>
              <NamePill state={payment.name_state} />
            </div>
          )}
        </>
      ),
    },
    {
      key: 'number',
      header: t`Recipient number`,
      wrap: true,
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
      cell: (payment) => <PaymentState of={payment} />,
    },
    {
      key: 'updated_at',
      header: t`Timestamp`,
      sortable: true,
      cell: ({ updated_at }) => <DateText iso={updated_at} time />,
    },
  ]
}
