import { useLingui } from '@lingui/react/macro'
import type { ArrearsOfAge } from '@portal/contracts/transfers/arrears'
import { pageLink } from '@portal/screens/ListPage'
import { Card } from '@portal/ui/Card'
import { Count, Money } from '@portal/ui/Money'
import { Share } from '@portal/ui/Progress'
import { type Column, Table } from '@portal/ui/Table'
import { ageName } from './age-words.ts'

type Props = {
  /** Undefined while they are read. */
  ages: ArrearsOfAge[] | undefined
  /** The address of the list with the payments of one age. */
  href: (age: ArrearsOfAge['age']) => string
}

/** What is owed by age, drawn and written; the sum of the ages is what is owed, to the franc. */
export function AgingCard({ ages, href }: Props) {
  const { t } = useLingui()
  const all = (ages ?? []).reduce((sum, { amount }) => sum + amount, 0)
  const longest = Math.max(...(ages ?? []).map(({ amount }) => amount), 1)
  const columns: Column<ArrearsOfAge>[] = [
    {
      key: 'age',
      header: t`Age`,
      phone: 'title',
      cell: ({ age, payments }) =>
        payments > 0 ? pageLink({ href: href(age), children: ageName(age) }) : ageName(age),
    },
    {
      key: 'girls',
      header: t`Girls`,
      align: 'right',
      cell: ({ girls }) => <Count value={girls} />,
    },
    {
      key: 'payments',
      header: t`Payments`,
      align: 'right',
      cell: ({ payments }) => <Count value={payments} />,
    },
    {
      key: 'amount',
      header: t`Arrears (XOF)`,
      align: 'right',
      phone: 'main',
      cell: ({ amount }) => <Money amount={amount} currency={false} />,
    },
    {
      key: 'share',
      header: t`Share of total`,
      gap: true,
      width: '36%',
      phone: 'note',
      // On a phone a note is as narrow as its text, and a bar has none.
      cell: ({ amount }) => (
        <div style={{ minWidth: 140 }}>
          <Share value={amount} of={longest} share={all > 0 ? amount / all : 0} />
        </div>
      ),
    },
  ]
  return (
    <Card title={t`Arrears by age`} note={t`counted from the day on which the round was due`}>
      <Table
        compact
        label={t`Arrears by age`}
        columns={columns}
        rows={ages}
        rowKey={({ age }) => age}
        empty={t`No data available`}
        expected={4}
        totals={{ age: t`Total`, amount: <Money amount={all} currency={false} /> }}
      />
    </Card>
  )
}
