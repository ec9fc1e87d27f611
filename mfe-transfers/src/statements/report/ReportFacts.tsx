import { useLingui } from '@lingui/react/macro'
import type { StatementReport } from '@portal/contracts/transfers/statement-report'
import { findingCategoryWords } from '@portal/contracts/transfers/statement-words'
import { findingCategories, type StatementTotal } from '@portal/contracts/transfers/statements'
import { currentLocale } from '@portal/i18n/locale'
import { Card } from '@portal/ui/Card'
import { Facts, Figures } from '@portal/ui/Figures'
import { Count, DateText, Money } from '@portal/ui/Money'
import { type Column, Table } from '@portal/ui/Table'
import { fullName } from '../../words.tsx'

/** Which file it is, who answers for it, what each category sums up to, and what the agency charged. */
export function ReportFacts({ report }: { report: StatementReport }) {
  const { t } = useLingui()
  const { user, ended_by, ended_at } = report
  const signed = report.state === 'closed' && ended_by && ended_at
  const sum = (name: 'their_fees' | 'expected_fees') =>
    report.totals.reduce((so, total) => so + total[name], 0)
  return (
    <>
      <Facts
        facts={[
          {
            key: 'uploaded',
            label: t`Uploaded by`,
            value: fullName(user),
            note: <DateText iso={report.created_at} time />,
          },
          {
            key: 'signed',
            label: t`Signed by`,
            value: signed ? fullName(ended_by) : t`Nobody yet`,
            note: signed && <DateText iso={ended_at} time />,
          },
          { key: 'lines', label: t`Lines read`, value: <Count value={report.lines_read} /> },
          {
            key: 'hash',
            label: t`SHA-256 of the file`,
            value: (
              <span className="mono small" style={{ overflowWrap: 'anywhere' }}>
                {report.file_hash}
              </span>
            ),
          },
        ]}
      />
      <Categories totals={report.totals} />
      <Figures
        figures={[
          { key: 'charged', label: t`Charged by the agency`, amount: sum('their_fees') },
          {
            key: 'tariff',
            label: t`Its tariff`,
            amount: sum('expected_fees'),
            note: t`on the lines of payments of the portal`,
          },
          {
            key: 'commission',
            label: t`Commission of the programme`,
            amount: report.commission,
            note: t`on the same payments`,
          },
        ]}
      />
    </>
  )
}

function Categories({ totals }: { totals: readonly StatementTotal[] }) {
  const { t } = useLingui()
  const rows = findingCategories.map(
    (category): StatementTotal =>
      totals.find((total) => total.category === category) ?? {
        category,
        count: 0,
        resolved: 0,
        their_amount: 0,
        our_amount: 0,
        their_fees: 0,
        expected_fees: 0,
      },
  )
  const sum = (name: 'count' | 'resolved' | 'their_amount' | 'our_amount') =>
    rows.reduce((so, row) => so + row[name], 0)
  const columns: Column<StatementTotal>[] = [
    {
      key: 'category',
      header: t`Category`,
      phone: 'title',
      cell: ({ category }) => findingCategoryWords[category][currentLocale()],
    },
    { key: 'count', header: t`Lines`, align: 'right', cell: ({ count }) => <Count value={count} /> },
    {
      key: 'their_amount',
      header: t`Statement (XOF)`,
      align: 'right',
      phone: 'main',
      cell: ({ their_amount }) => <Money amount={their_amount} currency={false} />,
    },
    {
      key: 'our_amount',
      header: t`Portal (XOF)`,
      align: 'right',
      phone: 'note',
      cell: ({ our_amount }) => <Money amount={our_amount} currency={false} />,
    },
    {
      key: 'resolved',
      header: t`Resolved`,
      align: 'right',
      cell: ({ resolved }) => <Count value={resolved} />,
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
        totals={{
          category: t`Total`,
          count: <Count value={sum('count')} />,
          their_amount: <Money amount={sum('their_amount')} currency={false} />,
          our_amount: <Money amount={sum('our_amount')} currency={false} />,
          resolved: <Count value={sum('resolved')} />,
        }}
      />
    </Card>
  )
}
