import { useLingui } from '@lingui/react/macro'
import { findingCategoryWords } from '@portal/contracts/transfers/statement-words'
import {
  type FindingCategory,
  findingCategories,
  type OpenedStatement,
} from '@portal/contracts/transfers/statements'
import { currentLocale } from '@portal/i18n/locale'
import { Card } from '@portal/ui/Card'
import { Count, Money } from '@portal/ui/Money'
import { Share } from '@portal/ui/Progress'
import { type Column, Table } from '@portal/ui/Table'

type Row = { category: FindingCategory; count: number; amount: number }

/** The sums of each category to the franc, drawn and written. */
export function StatementTotals({ statement }: { statement: OpenedStatement }) {
  const { t } = useLingui()
  const totals = new Map(statement.totals.map((total) => [total.category, total]))
  const rows = findingCategories.map((category): Row => {
    const { count = 0, our_amount = 0, their_amount = 0 } = totals.get(category) ?? {}
    return { category, count, amount: category === 'ours' ? our_amount : their_amount }
  })
  const all = rows.reduce((sum, { amount }) => sum + amount, 0)
  const longest = Math.max(...rows.map(({ amount }) => amount), 1)
  const columns: Column<Row>[] = [
    {
      key: 'category',
      header: t`Category`,
      phone: 'title',
      cell: ({ category }) => findingCategoryWords[category][currentLocale()],
    },
    { key: 'count', header: t`Lines`, align: 'right', cell: ({ count }) => <Count value={count} /> },
    {
      key: 'amount',
      header: t`Amount (XOF)`,
      align: 'right',
      phone: 'main',
      cell: ({ amount }) => <Money amount={amount} currency={false} />,
    },
    {
      key: 'share',
      header: t`Share of total`,
      gap: true,
      width: '40%',
      cell: ({ amount }) => <Share value={amount} of={longest} share={all > 0 ? amount / all : 0} />,
    },
  ]
  return (
    <Card title={t`Totals by category`}>
      <Table
        compact
        label={t`Totals by category`}
        columns={columns}
        rows={rows}
        rowKey={({ category }) => category}
        empty={t`No data available`}
      />
    </Card>
  )
}
