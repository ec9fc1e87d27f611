import { Trans, useLingui } from '@lingui/react/macro'
import { shownStatuses } from '@portal/contracts/transfers/cohorts'
import type { PaymentAct, PayrollGroup, RoundPayment } from '@portal/contracts/transfers/payrolls'
import { payrolls } from '@portal/contracts/transfers/payrolls'
import { type ChosenAct, DataTable, type RowAction } from '@portal/screens/DataTable'
import { ExportButton } from '@portal/screens/ExportButton'
import { lazy } from '@portal/screens/lazy'
import { useDialog } from '@portal/screens/useDialog'
import { useList } from '@portal/screens/useList'
import { useCan } from '@portal/sdk'
import { Button } from '@portal/ui/Button'
import { DateText } from '@portal/ui/Money'
import { useParams } from 'react-router-dom'
import { PageState } from '../PageState.tsx'
import { paymentChips } from '../PaymentPill.tsx'
import { paths } from '../paths.ts'
import { receiverName } from '../Receiver.tsx'
import { TransferPage } from '../TransferPage.tsx'
import { ActDialog } from './ActDialog.tsx'
import { RoundCards } from './RoundCards.tsx'
import { RoundFigures } from './RoundFigures.tsx'
import { manyActs, useActLooks } from './useActLooks.ts'
import { usePaymentColumns } from './usePaymentColumns.tsx'
import './words.ts'

const HoldPayeeDialog = lazy(() => import('../dialogs/HoldPayeeDialog.tsx'), 'HoldPayeeDialog')
const AskNameDialog = lazy(() => import('./acts/AskNameDialog.tsx'), 'AskNameDialog')

/** One disbursement round: every payment with its transaction. */
export default function PayrollPage() {
  const { t } = useLingui()
  const groupId = Number(useParams().groupId)
  const can = useCan()
  const columns = usePaymentColumns()
  const looks = useActLooks()
  const holding = useDialog<number>()
  const naming = useDialog<RoundPayment>()
  const acting = useDialog<{ act: PaymentAct; chosen: RoundPayment[]; onDone?: () => void }>()
  const list = useList(payrolls.read, (answer) => answer.payrollGroup.transfer_payrolls, {
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
            endpoint={payrolls.export}
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
      <RoundCards group={group} />
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
        search={t`Name, number or reference`}
        filters={[
          {
            name: 'status',
            label: t`Status`,
            total: group.count,
            options: statusChips(group),
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

/** The statuses to filter by, with how many payments of the round have each. */
const statusChips = (group: PayrollGroup) =>
  paymentChips({
    success: group.successful,
    failed: group.failed,
    withheld: group.withheld,
    written_off: group.written_off_count,
    unknown: group.unknown,
    // The round counts the two together: none of both is all that is known of each.
    ...(group.pending === 0 && { pending: 0, sending: 0 }),
  })
