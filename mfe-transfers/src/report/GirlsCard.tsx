import { useLingui } from '@lingui/react/macro'
import type { DonorReport } from '@portal/contracts/transfers/donor-report'
import { Card } from '@portal/ui/Card'
import { type Column, Table } from '@portal/ui/Table'
import { Guarded } from './Guarded.tsx'

type Row = { key: string; name: string; girls: readonly (number | null)[]; all: number | null }

/** Levels are listed as "Year 7, fundamental"; twelve columns have room for the first part. */
const shortName = (name: string) => name.split(',')[0] ?? name

/** Girls reached by place and class level; the sums of rows and columns are those of the tables above. */
export function GirlsCard({ report }: { report: DonorReport }) {
  const { t } = useLingui()
  const rows = report.places.map(
    ({ key, name, girls }, at): Row => ({
      key: key ?? '',
      name: name ?? t`Not stated`,
      girls: report.girls_by_place_and_level[at] ?? [],
      all: girls,
    }),
  )
  const place = report.place === 'cap' ? t`CAP` : t`School`
  const columns: Column<Row>[] = [
    { key: 'name', header: place, wrap: true, width: '16%', phone: 'title', cell: ({ name }) => name },
    ...report.levels.map(
      ({ key, name }, at): Column<Row> => ({
        key: `level-${key}`,
        header: shortName(name ?? t`Not stated`),
        align: 'right',
        cell: ({ girls }) => <Guarded count={girls[at] ?? null} />,
      }),
    ),
    {
      key: 'all',
      header: t`Total`,
      align: 'right',
      phone: 'main',
      cell: ({ all }) => <Guarded count={all} />,
    },
  ]
  const totals = Object.fromEntries(
    report.levels.map(({ key, girls }) => [`level-${key}`, <Guarded key={key} count={girls} />]),
  )
  const title = t`Girls reached by place and class level`
  return (
    <Card title={title}>
      <Table
        compact
        many
        label={title}
        columns={columns}
        rows={rows}
        rowKey={({ key }) => key}
        empty={t`Nothing was disbursed in this period.`}
        totals={{ name: t`Total`, ...totals, all: <Guarded count={report.girls} /> }}
      />
    </Card>
  )
}
