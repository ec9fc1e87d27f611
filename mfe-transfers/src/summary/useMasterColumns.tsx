import { useLingui } from '@lingui/react/macro'
import type { CohortSummary, MasterListEntry } from '@portal/contracts/transfers/cohorts'
import { differingNames } from '@portal/contracts/transfers/name-outcomes'
import { formatPhone, formatRate } from '@portal/i18n/format'
import { lazy } from '@portal/screens/lazy'
import { DateText, Money, Nothing } from '@portal/ui/Money'
import type { Column } from '@portal/ui/Table'
import { PaymentPill } from '../PaymentPill.tsx'
import { ReceiverNumber, receiverName } from '../Receiver.tsx'

const NamePill = lazy(() => import('../NamePill.tsx'), 'NamePill')
/** Whether the agency says that the number is not the recipient's. */
const differs = ({ name_state }: MasterListEntry) => differingNames.some((state) => state === name_state)

/** Columns of the master list; the currency is said once, by the card. */
export function useMasterColumns(cohort: CohortSummary): Column<MasterListEntry>[] {
  const { t } = useLingui()
  const rate = formatRate(cohort.transfer_parameter.commission)
  const money = (of: 'total_amount' | 'fees' | 'amount') => (entry: MasterListEntry) => (
    <Money amount={entry[of]} currency={false} />
  )
  return [
    {
      key: 'receiver_last_name',
      header: t`Parent name`,
      sortable: true,
      cell: (entry) => (
        <>
          {receiverName(entry)}
          {differs(entry) && (
            <div>
              <NamePill state={entry.name_state ?? 'unchecked'} />
            </div>
          )}
        </>
      ),
    },
    {
      key: 'number',
      header: t`Recipient number`,
      phone: 'note',
      wrap: true,
      cell: (entry) => (
        <>
          <ReceiverNumber of={entry} />
          {entry.listed_number && (
            <div className="small muted">{t`corrected, before: ${formatPhone(entry.listed_number)}`}</div>
          )}
        </>
      ),
    },
    {
      key: 'student_code',
      header: t`Student code`,
      sortable: true,
      cell: ({ student }) => student.student_code,
    },
    { key: 'total_amount', header: t`Sent amount`, align: 'right', cell: money('total_amount') },
    { key: 'fees', header: t`Fees (${rate})`, align: 'right', cell: money('fees') },
    {
      key: 'amount',
      header: t`Expected amount`,
      align: 'right',
      sortable: true,
      phone: 'note',
      cell: money('amount'),
    },
    {
      key: 'reference_code',
      header: t`Reference id`,
      gap: true,
      cell: ({ reference_code }) =>
        reference_code ? <span className="mono">{reference_code}</span> : <Nothing />,
    },
    {
      key: 'status',
      header: t`Status`,
      phone: 'main',
      wrap: true,
      // Otherwise two short words of a status are two lines, and the rows twice as high.
      width: '12%',
      cell: ({ status, failure_reason }) => <PaymentPill status={status} reason={failure_reason} />,
    },
    {
      key: 'updated_at',
      header: t`Timestamp`,
      sortable: true,
      cell: ({ status, updated_at }) =>
        // Nothing has happened to it yet.
        status === 'pending' || status === 'rejected' ? <Nothing /> : <DateText iso={updated_at} time />,
    },
  ]
}
