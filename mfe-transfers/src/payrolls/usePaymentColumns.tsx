import { useLingui } from '@lingui/react/macro'
import type { RoundPayment } from '@portal/contracts/transfers/payrolls'
import type { Column } from '@portal/screens/DataTable'
import { DateText, Money, Nothing } from '@portal/ui/Money'
import { NamePill } from '../NamePill.tsx'
import { ReceiverNumber, receiverName } from '../Receiver.tsx'
import { PaymentState } from './PaymentState.tsx'

/** A payment of a round: its transaction, whom it goes to, the amount and how it stands. */
export function usePaymentColumns(): Column<RoundPayment>[] {
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
