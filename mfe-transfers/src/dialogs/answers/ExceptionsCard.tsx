import { useLingui } from '@lingui/react/macro'
import type { PaymentException } from '@portal/contracts/transfers/payrolls'
import { Card } from '@portal/ui/Card'
import { DateText } from '@portal/ui/Money'
import { type Column, Table } from '@portal/ui/Table'
import { Link } from 'react-router-dom'
import { PaymentPill } from '../../PaymentPill.tsx'
import { paths } from '../../paths.ts'
import { ExceptionValue, useExceptionKinds } from './exception-words.tsx'

type Props = { groupId: number; exceptions: readonly PaymentException[] }

/** Answers of the agency that cannot be so, with what the portal expected: money never moves on by them. */
export function ExceptionsCard({ groupId, exceptions }: Props) {
  const { t } = useLingui()
  const kinds = useExceptionKinds()
  const columns: Column<PaymentException>[] = [
    {
      key: 'receiver',
      header: t`Parent name`,
      phone: 'title',
      cell: (found) => `${found.receiver_first_name} ${found.receiver_last_name}`,
    },
    { key: 'kind', header: t`What does not agree`, wrap: true, cell: ({ kind }) => kinds[kind] },
    {
      key: 'expected',
      header: t`Expected`,
      wrap: true,
      cell: ({ kind, expected }) => <ExceptionValue kind={kind} of={expected} />,
    },
    {
      key: 'answered',
      header: t`Agency’s answer`,
      wrap: true,
      cell: ({ kind, answered }) => <ExceptionValue kind={kind} of={answered} />,
    },
    {
      key: 'status',
      header: t`Status`,
      phone: 'status',
      cell: ({ status }) => <PaymentPill status={status} />,
    },
    { key: 'created_at', header: t`Timestamp`, cell: ({ created_at }) => <DateText iso={created_at} time /> },
  ]
  return (
    <Card
      title={t`Answers to look at`}
      actions={
        <Link to={`${paths.exceptions}?state=open&payroll_group_id=${groupId}`}>{t`Decide on them`}</Link>
      }
      text={t`The agency answered, or its statement says, something that does not agree with our order. That changes nothing by itself: the payment stays as it was. Compare both values with the agency.`}
    >
      <Table
        compact
        label={t`Answers to look at`}
        columns={columns}
        rows={[...exceptions]}
        rowKey={({ id }) => id}
        empty={t`No data available`}
      />
    </Card>
  )
}
