import { useLingui } from '@lingui/react/macro'
import type { DonorReport, ReachedPart } from '@portal/contracts/transfers/donor-report'
import { Card } from '@portal/ui/Card'
import { Count, Money, Nothing } from '@portal/ui/Money'
import { Share } from '@portal/ui/Progress'
import { type Column, Table } from '@portal/ui/Table'
import { Guarded } from './Guarded.tsx'

type Props = {
  title: string
  heading: string
  parts: readonly ReachedPart[]
  report: DonorReport
}

/** Girls, payments and money of each place or class level, drawn and written. */
export function ReachedCard({ title, heading, parts, report }: Props) {
  const { t } = useLingui()
  const longest = Math.max(...parts.map(({ amount }) => amount ?? 0), 1)
  const columns: Column<ReachedPart>[] = [
    { key: 'name', header: heading, wrap: true, phone: 'title', cell: ({ name }) => name ?? t`Not stated` },
    {
      key: 'girls',
      header: t`Girls reached`,
      align: 'right',
      cell: ({ girls }) => <Guarded count={girls} />,
    },
    {
      key: 'payments',
      header: t`Payments`,
      align: 'right',
      cell: ({ payments }) => <Guarded count={payments} />,
    },
    {
      key: 'amount',
      header: t`Disbursed (XOF)`,
      align: 'right',
      phone: 'main',
      cell: ({ amount }) =>
        amount === null ? <Guarded count={null} /> : <Money amount={amount} currency={false} />,
    },
    {
      key: 'share',
      header: t`Share of total`,
      gap: true,
      width: '30%',
      phone: 'note',
      cell: ({ amount }) =>
        amount === null ? (
          <Nothing />
        ) : (
          // On a phone a note is as narrow as its text, and a bar has none.
          <div style={{ minWidth: 140 }}>
            <Share value={amount} of={longest} share={report.disbursed > 0 ? amount / report.disbursed : 0} />
          </div>
        ),
    },
  ]
  return (
    <Card title={title}>
      <Table
        compact
        label={title}
        columns={columns}
        rows={parts}
        rowKey={({ key }) => key ?? ''}
        empty={t`Nothing was disbursed in this period.`}
        totals={{
          name: t`Total`,
          girls: <Guarded count={report.girls} />,
          payments: <Count value={report.payments} />,
          amount: <Money amount={report.disbursed} currency={false} />,
        }}
      />
    </Card>
  )
}
