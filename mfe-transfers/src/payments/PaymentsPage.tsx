import { Trans, useLingui } from '@lingui/react/macro'
import type { AnswerOf } from '@portal/contracts/endpoint'
import type { PayeePayment, PaymentTotals, payeePayments } from '@portal/contracts/transfers/payee-payments'
import { type Column, DataTable } from '@portal/screens/DataTable'
import type { List } from '@portal/screens/useList'
import { type Figure, Figures } from '@portal/ui/Figures'
import { DateText, Money } from '@portal/ui/Money'
import { StatusPill } from '@portal/ui/StatusPill'
import { Link } from 'react-router-dom'
import { PageState } from '../PageState.tsx'
import { PaymentPill } from '../PaymentPill.tsx'
import { paths } from '../paths.ts'
import { receiverName } from '../Receiver.tsx'
import { TransferPage } from '../TransferPage.tsx'
import { fullName } from '../words.tsx'

type Props = {
  list: List<PayeePayment, AnswerOf<typeof payeePayments.ofGirl>, 'of'>
  /** Guardians may have several girls, so each payment says whom it is for. */
  ofGuardian?: boolean
}

/** All payments of a person over cohorts and rounds, and that they add up. */
export function PaymentsPage({ list, ofGuardian = false }: Props) {
  const { t } = useLingui()
  const columns = useColumns(ofGuardian)
  const back = { to: paths.arrears, label: t`Arrears` }
  if (!list.answer) return <PageState title={t`Payments`} back={back} list={list} />
  const { person, totals } = list.answer
  const name = fullName(person)
  return (
    <TransferPage title={t`Payments of ${name}`} description={person.note} back={back}>
      <Totals of={totals} />
      <DataTable
        label={t`Payments`}
        list={list}
        columns={columns}
        empty={t`No payment was made yet.`}
        search={t`Cohort, reference or parent name`}
        filters={[
          {
            name: 'of',
            label: t`Status`,
            options: [
              { value: 'paid', label: t`Paid` },
              { value: 'owed', label: t`Owed` },
              { value: 'pending', label: t`On the way` },
              { value: 'written_off', label: t`Written off` },
            ],
          },
        ]}
      />
    </TransferPage>
  )
}

function Totals({ of: { expected, paid, owed, pending, written_off } }: { of: PaymentTotals }) {
  const { t } = useLingui()
  const figures: Figure[] = [
    { key: 'expected', label: t`In all rounds so far`, amount: expected },
    { key: 'paid', label: t`Paid`, amount: paid, swatch: 'good' },
    { key: 'owed', label: t`Owed`, amount: owed, swatch: 'bad' },
    { key: 'pending', label: t`On the way`, amount: pending, swatch: 'rest' },
  ]
  if (written_off > 0) figures.push({ key: 'off', label: t`Written off`, amount: written_off })
  return <Figures sum figures={figures} />
}

function useColumns(ofGuardian: boolean): Column<PayeePayment>[] {
  const { t } = useLingui()
  const girl: Column<PayeePayment> = {
    key: 'girl',
    header: t`Girl`,
    wrap: true,
    cell: (payment) => <Link to={paths.girlPayments(payment.girl.id)}>{fullName(payment.girl)}</Link>,
  }
  return [
    {
      key: 'cohort',
      header: t`Cohort`,
      wrap: true,
      phone: 'title',
      cell: ({ cohort_name, payroll_group_id, n }) => (
        <span>
          <Link to={paths.payroll(payroll_group_id)}>{cohort_name}</Link>
          <span className="sub">
            <Trans>Round {n}</Trans>
          </span>
        </span>
      ),
    },
    ...(ofGuardian ? [girl] : []),
    {
      key: 'due_on',
      header: t`Due on`,
      sortable: true,
      phone: 'note',
      cell: ({ due_on }) => <DateText iso={due_on} />,
    },
    {
      key: 'receiver',
      header: t`Parent name`,
      wrap: true,
      cell: (payment) => (
        <span>
          {receiverName(payment)}
          <span className="sub mono">{payment.reference}</span>
        </span>
      ),
    },
    {
      key: 'amount',
      header: t`Amount (XOF)`,
      align: 'right',
      sortable: true,
      phone: 'main',
      cell: ({ amount }) => <Money amount={amount} currency={false} />,
    },
    {
      key: 'status',
      header: t`Status`,
      gap: true,
      wrap: true,
      width: '30%',
      phone: 'note',
      cell: (payment) => <State of={payment} />,
    },
  ]
}

function State({ of }: { of: PayeePayment }) {
  const { t } = useLingui()
  const { state, status, failure_reason, write_off_reason, next_step } = of
  if (state === 'written_off')
    return (
      <div>
        <StatusPill tone="neutral" icon="x">{t`Written off`}</StatusPill>
        <div className="small muted more">{write_off_reason}</div>
      </div>
    )
  return (
    <div>
      <PaymentPill status={failure_reason === 'withheld' ? 'withheld' : status} reason={failure_reason} />
      {next_step && <div className="small muted more">{next_step}</div>}
    </div>
  )
}
