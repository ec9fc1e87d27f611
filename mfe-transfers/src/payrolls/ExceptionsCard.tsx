import { useLingui } from '@lingui/react/macro'
import type { ExceptionKind, PaymentException } from '@portal/contracts/payrolls'
import { Card } from '@portal/ui/Card'
import { DateText, Money } from '@portal/ui/Money'
import { type Column, Table } from '@portal/ui/Table'
import { isPaymentStatus, PaymentPill } from '../PaymentPill.tsx'

/** Answers of the agency that cannot be so, with what the portal expected: money never moves on by them. */
export function ExceptionsCard({ exceptions }: { exceptions: readonly PaymentException[] }) {
  const { t } = useLingui()
  if (exceptions.length === 0) return null
  const columns: Column<PaymentException>[] = [
    {
      key: 'receiver',
      header: t`Parent name`,
      phone: 'title',
      cell: (found) => `${found.receiver_first_name} ${found.receiver_last_name}`,
    },
    { key: 'kind', header: t`What does not agree`, wrap: true, cell: ({ kind }) => <Kind of={kind} /> },
    {
      key: 'expected',
      header: t`Expected`,
      wrap: true,
      cell: ({ kind, expected }) => <Value kind={kind} of={expected} />,
    },
    {
      key: 'answered',
      header: t`Agency’s answer`,
      wrap: true,
      cell: ({ kind, answered }) => <Value kind={kind} of={answered} />,
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
      text={t`The agency answered something that does not agree with our order. Such an answer changes nothing: the payment stays as it was, and the agency is asked again. Compare both values with the agency.`}
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

function Value({ kind, of }: { kind: ExceptionKind; of: string | null }) {
  const { t } = useLingui()
  const sentences: Record<string, string> = {
    not_found_elsewhere: t`Not found at the agency’s present address`,
    not_found_too_late: t`Not found, too long after it was sent`,
    not_found_any_more: t`Not found, though the agency held it`,
    nothing: t`Nothing`,
  }
  if (of === null) return '–'
  if (kind === 'amount' && /^\d{1,12}$/.test(of)) return <Money amount={Number(of)} currency={false} />
  const [state = '', reason] = of.split(': ')
  if (kind === 'contradiction' && isPaymentStatus(state))
    return <PaymentPill status={state} reason={reason} />
  return sentences[of] ?? <span className="mono anywhere">{of}</span>
}

function Kind({ of }: { of: ExceptionKind }) {
  const { t } = useLingui()
  const words: Record<ExceptionKind, string> = {
    contradiction: t`Outcome, after it was final`,
    key: t`Key of the order`,
    reference: t`Reference of the payment`,
    amount: t`Amount`,
    currency: t`Currency`,
    recipient: t`Recipient’s number`,
    transaction: t`Transaction, which belongs to another payment`,
    not_found: t`Order`,
    unreadable: t`Form of the answer`,
  }
  return words[of]
}
