import { useLingui } from '@lingui/react/macro'
import { type HeldDifference, type SendingHold, sendingHold } from '@portal/contracts/transfers/sending-hold'
import { type Column, DataTable } from '@portal/screens/DataTable'
import { useList } from '@portal/screens/useList'
import { CardHead } from '@portal/ui/Card'
import { DateText, Money, Nothing } from '@portal/ui/Money'
import { StatusPill, type Tone } from '@portal/ui/StatusPill'
import { isPaymentStatus, PaymentPill } from '../PaymentPill.tsx'

/** What the agencies say that the database did not know. */
export function HeldDifferences({ hold }: { hold: SendingHold }) {
  const { t } = useLingui()
  const list = useList(sendingHold.differences, 'differences')
  const kinds: Record<HeldDifference['kind'], { tone: Tone; word: string }> = {
    unknown_here: { tone: 'bad', word: t`Unknown here` },
    differs: { tone: 'bad', word: t`Differs` },
    learned: { tone: 'good', word: t`Learned` },
  }
  const columns: Column<HeldDifference>[] = [
    {
      key: 'kind',
      header: t`Difference`,
      phone: 'status',
      cell: ({ kind }) => <StatusPill tone={kinds[kind].tone}>{kinds[kind].word}</StatusPill>,
    },
    {
      key: 'receiver',
      header: t`Recipient`,
      wrap: true,
      cell: ({ receiver, phone }) => (
        <span>
          {receiver ?? <Nothing />}
          <span className="sub">{phone}</span>
        </span>
      ),
    },
    { key: 'agency', header: t`Agency`, wrap: true, cell: ({ agency_name }) => agency_name },
    {
      key: 'amount',
      header: t`At the agency`,
      align: 'right',
      sortable: true,
      cell: ({ amount }) => (amount === null ? <Nothing /> : <Money amount={amount} />),
    },
    {
      key: 'expected',
      header: t`In the portal`,
      align: 'right',
      cell: ({ expected }) => (expected === null ? <Nothing /> : <Money amount={expected} />),
    },
    {
      key: 'state',
      header: t`The agency says`,
      cell: ({ state }) => (isPaymentStatus(state) ? <PaymentPill status={state} /> : state),
    },
    {
      key: 'trx',
      header: t`Transaction`,
      cell: ({ external_trx_id }) => <span className="mono">{external_trx_id ?? <Nothing />}</span>,
    },
    {
      key: 'at',
      header: t`Date`,
      sortable: true,
      cell: ({ at }) => (at === null ? <Nothing /> : <DateText iso={at} time />),
    },
  ]
  return (
    <>
      <CardHead
        title={t`Differences`}
        text={t`What the agencies hold and this database did not know. Learned payments are settled already; nobody is paid for them again.`}
      />
      <DataTable
        label={t`Differences`}
        list={list}
        columns={columns}
        empty={t`No differences so far.`}
        rowName={({ receiver, reference }) => receiver ?? reference ?? ''}
        search={t`Recipient, reference or number`}
        filters={[
          {
            name: 'kind',
            label: t`Difference`,
            options: [
              { value: 'unknown_here', label: t`Unknown here`, count: hold.unknown_here },
              { value: 'differs', label: t`Differs`, count: hold.differs },
              { value: 'learned', label: t`Learned`, count: hold.learned },
            ],
          },
        ]}
      />
    </>
  )
}
