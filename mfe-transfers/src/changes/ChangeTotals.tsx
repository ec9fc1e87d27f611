import { useLingui } from '@lingui/react/macro'
import type { ChangeKind, CohortComparison } from '@portal/contracts/transfers/cohort-changes'
import { Card } from '@portal/ui/Card'
import { Count, Money } from '@portal/ui/Money'
import { Two } from '@portal/ui/Page'
import { type Column, Table } from '@portal/ui/Table'
import { useChangeKinds } from './useChangeKinds.tsx'

type Line = { key: string; label: string; count: number | null; amount: number }

/** The kinds that lead from the amount of the earlier list to that of this one. */
const moving: ChangeKind[] = ['joined', 'left', 'amount']

/** From the amount of the earlier list to that of this one, and beside it what does not change the amount. */
export function ChangeTotals({ comparison }: { comparison: CohortComparison }) {
  const { t } = useLingui()
  const words = useChangeKinds()
  const { kinds, amount_before, amount_after } = comparison
  const lines = kinds.map(({ kind, ...rest }) => ({ key: kind, label: words[kind], ...rest }))
  const columns: Column<Line>[] = [
    { key: 'label', header: t`Change`, wrap: true, phone: 'title', cell: ({ label }) => label },
    {
      key: 'count',
      header: t`Girls`,
      align: 'right',
      phone: 'note',
      cell: ({ count }) => <Count value={count} />,
    },
    {
      key: 'amount',
      header: t`Amount (XOF)`,
      align: 'right',
      phone: 'main',
      cell: ({ amount }) => <Money amount={amount} currency={false} />,
    },
  ]
  const table = (title: string, rows: Line[]) => (
    <Card title={title}>
      <Table
        compact
        label={title}
        rows={rows}
        rowKey={({ key }) => key}
        columns={columns}
        empty={t`No data available`}
      />
    </Card>
  )
  return (
    <Two>
      {table(t`Amount per round`, [
        { key: 'before', label: t`Earlier list`, count: null, amount: amount_before },
        ...lines.filter(({ key }) => moving.includes(key)),
        { key: 'after', label: t`This list`, count: null, amount: amount_after },
      ])}
      {table(
        t`Also to look at`,
        lines.filter(({ key }) => !moving.includes(key)),
      )}
    </Two>
  )
}
