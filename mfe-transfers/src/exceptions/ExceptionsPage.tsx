import { Trans, useLingui } from '@lingui/react/macro'
import {
  exceptionStates,
  type ListedException,
  paymentExceptions,
} from '@portal/contracts/transfers/payment-exceptions'
import { exceptionKinds } from '@portal/contracts/transfers/payrolls'
import { exceptionSteps } from '@portal/contracts/transfers/steps/payment'
import { transferLists } from '@portal/contracts/transfers/transfer-lists'
import { type Column, DataTable } from '@portal/screens/DataTable'
import { ExportButton } from '@portal/screens/ExportButton'
import { lazy } from '@portal/screens/lazy'
import { useDialog } from '@portal/screens/useDialog'
import { useList } from '@portal/screens/useList'
import { DateText, Money } from '@portal/ui/Money'
import { StatusPill } from '@portal/ui/StatusPill'
import { Link } from 'react-router-dom'
import { ExceptionValue, useExceptionKinds } from '../dialogs/answers/exception-words.tsx'
import { PaymentPill } from '../PaymentPill.tsx'
import { paths } from '../paths.ts'
import { receiverName } from '../Receiver.tsx'
import { TransferPage } from '../TransferPage.tsx'
import { fullName } from '../words.tsx'

import './words.ts'

const NextStep = lazy(() => import('../dialogs/NextStep.tsx'), 'NextStep')
const CloseExceptionDialog = lazy(() => import('./CloseExceptionDialog.tsx'), 'CloseExceptionDialog')

/** Answers of agencies that do not agree, of all rounds, until a person decides on each. */
export default function ExceptionsPage() {
  const { t } = useLingui()
  const kinds = useExceptionKinds()
  const list = useList(paymentExceptions.list, 'exceptions')
  const closing = useDialog<ListedException>()
  const columns = useColumns()
  return (
    <TransferPage
      title={t`Answers to look at`}
      description={<NextStep of={exceptionSteps} state="open" />}
      back={{ to: paths.overview, label: t`Transfers` }}
      actions={
        <ExportButton
          endpoint={transferLists.exceptions}
          permission="payrolls.export"
          body={{
            search: list.view.search,
            state: exceptionStates.find((state) => state === list.view.filter('state')),
            kind: exceptionKinds.find((kind) => kind === list.view.filter('kind')),
            payroll_group_id: list.view.filter('payroll_group_id') || undefined,
          }}
        >
          <Trans>Export (Excel)</Trans>
        </ExportButton>
      }
    >
      <DataTable
        label={t`Answers to look at`}
        list={list}
        columns={columns}
        empty={t`No answer has to be looked at.`}
        search={t`Recipient, reference or cohort`}
        filters={[
          {
            name: 'state',
            label: t`Status`,
            options: [
              { value: 'open', label: t`To decide` },
              { value: 'closed', label: t`Decided` },
            ],
          },
          {
            name: 'kind',
            as: 'select',
            label: t`What does not agree`,
            all: t`Everything`,
            options: exceptionKinds.map((kind) => ({ value: kind, label: kinds[kind] })),
          },
        ]}
        rowName={receiverName}
        rowActions={(found) =>
          found.decision
            ? []
            : [
                {
                  label: t`Decide`,
                  icon: 'check',
                  permission: 'cohorts.approve',
                  onSelect: () => closing.open(found),
                },
              ]
        }
      />
      {closing.item && <CloseExceptionDialog exception={closing.item} onClose={closing.close} />}
    </TransferPage>
  )
}

function useColumns(): Column<ListedException>[] {
  const { t } = useLingui()
  const kinds = useExceptionKinds()
  return [
    { key: 'receiver', header: t`Parent name`, wrap: true, phone: 'title', cell: receiverName },
    {
      key: 'cohort',
      header: t`Cohort`,
      wrap: true,
      cell: ({ cohort_name, payroll_group_id }) => (
        <Link to={paths.payroll(payroll_group_id)}>{cohort_name}</Link>
      ),
    },
    {
      key: 'amount',
      header: t`Amount (XOF)`,
      align: 'right',
      sortable: true,
      cell: ({ amount }) => <Money amount={amount} currency={false} />,
    },
    {
      key: 'kind',
      header: t`What does not agree`,
      wrap: true,
      phone: 'note',
      cell: ({ kind }) => kinds[kind],
    },
    {
      key: 'answered',
      header: t`Agency’s answer`,
      wrap: true,
      cell: ({ kind, answered }) => <ExceptionValue kind={kind} of={answered} />,
    },
    { key: 'payment', header: t`Payment`, cell: ({ status }) => <PaymentPill status={status} /> },
    {
      key: 'created_at',
      header: t`Timestamp`,
      sortable: true,
      cell: ({ created_at }) => <DateText iso={created_at} time />,
    },
    {
      key: 'decision',
      header: t`Decision`,
      gap: true,
      wrap: true,
      phone: 'main',
      cell: (found) => <Decision of={found} />,
    },
  ]
}

function Decision({ of: { decision, decision_reason, decided_by, barred } }: { of: ListedException }) {
  const { t } = useLingui()
  if (!decision)
    return (
      <div>
        <StatusPill tone="waiting" icon="question">{t`To decide`}</StatusPill>
        {barred && <div className="small muted">{barred}</div>}
      </div>
    )
  const words = {
    status_stands: t`As recorded here`,
    money_moved: t`Money moved`,
    money_missing: t`Money missing`,
  }
  return (
    <div>
      <StatusPill tone="neutral" icon="check">
        {words[decision]}
      </StatusPill>
      <div className="small muted">
        {decision_reason}
        {decided_by && <> · {fullName(decided_by)}</>}
      </div>
    </div>
  )
}
