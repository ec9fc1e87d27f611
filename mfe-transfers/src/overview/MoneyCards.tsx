import { useLingui } from '@lingui/react/macro'
import { queryOf } from '@portal/client/query'
import type { AnswerOf } from '@portal/contracts/endpoint'
import { type HomeStatistics, home, type Trends } from '@portal/contracts/home'
import type { AgencyFigures, dashboard } from '@portal/contracts/home/dashboard'
import { formatPercent } from '@portal/i18n/format'
import { currentLocale } from '@portal/i18n/locale'
import { failureOf } from '@portal/screens/problemText'
import { useHost, useQuery } from '@portal/sdk'
import { Button } from '@portal/ui/Button'
import { Card } from '@portal/ui/Card'
import { Money, Nothing } from '@portal/ui/Money'
import { Share } from '@portal/ui/Progress'
import { type Column, type Failure, Table } from '@portal/ui/Table'
import { type ReactNode, useState } from 'react'

type Figures = AnswerOf<typeof dashboard.read>

/** What was disbursed by month, by CAP and by agency. Each bar stands in the row with its figures. */
export function MoneyCards({ figures, failure }: { figures: Figures | undefined; failure: Failure | null }) {
  return (
    <>
      <div className="two even">
        <Months />
        <Caps />
      </div>
      <Agencies agencies={figures?.agencies} failure={failure} />
    </>
  )
}

function Months() {
  const { t } = useLingui()
  const { client } = useHost()
  const { data, error, refetch } = useQuery(queryOf(client, home.trends))
  return (
    <MoneyTable<Trends['months'][number]>
      title={t`Disbursed by month`}
      heading={t`Month`}
      rows={data && [...data.months].reverse()}
      failure={data ? null : failureOf(error, refetch)}
      name={({ month }) => monthName(month)}
      amount={({ disbursed }) => disbursed}
    />
  )
}

/** `November 2026`, `novembre 2026`. */
const monthName = (month: string) =>
  new Intl.DateTimeFormat(currentLocale(), { month: 'long', year: 'numeric', timeZone: 'UTC' }).format(
    new Date(`${month}T00:00:00Z`),
  )

function Caps() {
  const { t } = useLingui()
  const { client } = useHost()
  const { data, error, refetch } = useQuery(queryOf(client, home.statistics))
  return (
    <MoneyTable<HomeStatistics['disbursementByCap'][number]>
      title={t`Disbursed by CAP`}
      heading={t`CAP`}
      rows={data && [...data.disbursementByCap].sort((a, b) => b.total_disbursed - a.total_disbursed)}
      failure={data ? null : failureOf(error, refetch)}
      rowKey={({ id }) => id}
      name={(cap) => cap.admin_district_as_cap}
      amount={(cap) => cap.total_disbursed}
    />
  )
}

function Agencies({ agencies, failure }: { agencies: AgencyFigures[] | undefined; failure: Failure | null }) {
  const { t } = useLingui()
  return (
    <MoneyTable
      title={t`Disbursed by agency`}
      heading={t`Transfer agency`}
      rows={agencies}
      failure={failure}
      rowKey={({ id }) => id}
      name={({ name }) => name}
      amount={({ disbursed }) => disbursed}
      more={[
        {
          key: 'rate',
          header: t`Success rate`,
          align: 'right',
          cell: ({ success_rate }) => (success_rate === null ? <Nothing /> : formatPercent(success_rate, 1)),
        },
        {
          key: 'time',
          header: t`Time to pay`,
          align: 'right',
          cell: ({ seconds_to_pay }) => <Duration seconds={seconds_to_pay} />,
        },
      ]}
    />
  )
}

/** From sending to the agency's answer: seconds, then minutes, then hours. */
function Duration({ seconds }: { seconds: number | null }) {
  const { t } = useLingui()
  if (seconds === null) return <Nothing />
  if (seconds < 1) return t`less than 1 s`
  if (seconds < 90) return t`${seconds} s`
  const minutes = Math.round(seconds / 60)
  if (minutes < 90) return t`${minutes} min`
  const hours = Math.round(minutes / 60)
  return t`${hours} h`
}

/** More rows than these are folded. */
const fold = 12

type TableProps<Row extends object> = {
  title: string
  heading: string
  /** Undefined while they are read. */
  rows: readonly Row[] | undefined
  failure: Failure | null
  /** Names may be shared, so rows have keys of their own where they do. */
  rowKey?: (row: Row) => string | number
  name: (row: Row) => string
  amount: (row: Row) => number
  more?: Column<Row>[]
}

function MoneyTable<Row extends object>({
  title,
  heading,
  rows,
  failure,
  name,
  rowKey = name,
  amount,
  more = [],
}: TableProps<Row>) {
  const { t } = useLingui()
  const [unfolded, setUnfolded] = useState(false)
  const all = (rows ?? []).reduce((sum, row) => sum + amount(row), 0)
  const longest = Math.max(...(rows ?? []).map(amount), 1)
  const count = rows?.length ?? 0
  const columns: Column<Row>[] = [
    { key: 'name', header: heading, wrap: true, phone: 'title', cell: name as (row: Row) => ReactNode },
    ...more,
    {
      key: 'amount',
      header: t`Disbursed (XOF)`,
      align: 'right',
      phone: 'main',
      cell: (row) => <Money amount={amount(row)} currency={false} />,
    },
    {
      key: 'share',
      header: t`Share of total`,
      gap: true,
      width: '30%',
      phone: 'note',
      // On a phone a note is as narrow as its text, and a bar has none.
      cell: (row) => (
        <div style={{ minWidth: 140 }}>
          <Share value={amount(row)} of={longest} share={all > 0 ? amount(row) / all : 0} />
        </div>
      ),
    },
  ]
  return (
    <Card
      title={title}
      foot={
        count > fold && (
          <Button small aria-expanded={unfolded} onClick={() => setUnfolded(!unfolded)}>
            {unfolded ? t`Show fewer` : t`Show all ${count}`}
          </Button>
        )
      }
    >
      <Table
        compact
        label={title}
        columns={columns}
        rows={unfolded ? rows : rows?.slice(0, fold)}
        rowKey={rowKey}
        empty={t`No data available`}
        failure={failure}
        expected={4}
        totals={{ name: t`Total`, amount: <Money amount={all} currency={false} /> }}
      />
    </Card>
  )
}
