import { useLingui } from '@lingui/react/macro'
import { queryOf } from '@portal/client/query'
import { type ModulePageWeek, type ModuleWeek, modules } from '@portal/contracts/modules'
import { formatDate, formatNumber } from '@portal/i18n/format'
import { failureOf } from '@portal/screens/problemText'
import { useHost, useQuery } from '@portal/sdk'
import { Card } from '@portal/ui/Card'
import { ColumnChart } from '@portal/ui/ColumnChart'
import { Count, DateText, Nothing } from '@portal/ui/Money'
import { type Column, Table } from '@portal/ui/Table'
import '@portal/ui/chart.css'
import { placeTitle } from './place-title.ts'

/** How a module was used: week by week, drawn and in figures, and page by page. */
export function UsageCard({ name }: { name: string }) {
  const { t } = useLingui()
  const { client } = useHost()
  const { data, error, refetch } = useQuery(queryOf(client, modules.usage, { params: { module: name } }))
  const failure = data ? null : failureOf(error, refetch)
  const columns: Column<ModuleWeek>[] = [
    { key: 'week', header: t`Week from`, phone: 'title', cell: ({ week }) => <DateText iso={week} /> },
    {
      key: 'loads',
      header: t`Loads`,
      align: 'right',
      phone: 'main',
      cell: ({ loads }) => <Count value={loads} />,
    },
    { key: 'people', header: t`People`, align: 'right', cell: ({ people }) => <Count value={people} /> },
    { key: 'errors', header: t`Errors`, align: 'right', cell: ({ errors }) => <Count value={errors} /> },
    {
      key: 'load_ms_median',
      header: t`Load time`,
      align: 'right',
      cell: ({ load_ms_median: ms }) => (ms === null ? <Nothing /> : `${formatNumber(ms / 1000, 1)}\u00a0s`),
    },
  ]
  return (
    <>
      <Card title={t`Usage by week`} text={t`Reports are kept for 30 days.`}>
        {data && data.weeks.length > 1 && <WeeksChart weeks={data.weeks} />}
        <Table
          label={t`Usage by week`}
          expected={4}
          columns={columns}
          rows={data?.weeks}
          rowKey={({ week }) => week}
          empty={t`Nobody has opened it yet`}
          failure={failure}
        />
      </Card>
      {data && data.pages.length > 0 && <PagesCard name={name} weeks={data.weeks} pages={data.pages} />}
    </>
  )
}

/** The weeks from left to right, each beside the week with most loads. */
function WeeksChart({ weeks }: { weeks: ModuleWeek[] }) {
  const { t } = useLingui()
  const inOrder = [...weeks].reverse()
  const most = Math.max(1, ...weeks.map(({ loads }) => loads))
  const figures = inOrder.map(({ week, loads }) => `${formatDate(week)}: ${formatNumber(loads)}`).join(', ')
  return (
    <div className="card-body">
      <ColumnChart
        label={t`Loads by week. ${figures}`}
        series={[{ key: 'loads', label: t`Loads`, tone: 'accent' }]}
        groups={inOrder.map(({ week, loads }) => ({
          key: week,
          label: formatDate(week).slice(0, 5),
          values: [loads / most],
        }))}
        format={(part) => formatNumber(Math.round(part * most))}
      />
    </div>
  )
}

function Place({ module, place }: { module: string; place: string }) {
  const title = placeTitle(module, place)
  return (
    <span>
      {title}
      <span className={title ? 'sub' : undefined} translate="no">
        {place}
      </span>
    </span>
  )
}

type PageRow = { page: string; loads: Map<string, number> }

type PagesProps = { name: string; weeks: ModuleWeek[]; pages: ModulePageWeek[] }

/** Loads of each page, tab and card, with a column for each week. */
function PagesCard({ name, weeks, pages }: PagesProps) {
  const { t } = useLingui()
  const rows = new Map<string, PageRow>()
  for (const { page, week, loads } of pages) {
    const row = rows.get(page) ?? { page, loads: new Map() }
    rows.set(page, row)
    row.loads.set(week, loads)
  }
  const columns: Column<PageRow>[] = [
    {
      key: 'page',
      header: t`Page`,
      wrap: true,
      phone: 'title',
      cell: ({ page }) => <Place module={name} place={page} />,
    },
    ...weeks.map(
      ({ week }): Column<PageRow> => ({
        key: week,
        header: t`From ${formatDate(week).slice(0, 5)}`,
        align: 'right',
        cell: ({ loads }) => <Count value={loads.get(week) ?? 0} />,
      }),
    ),
  ]
  return (
    <Card
      title={t`Loads by page`}
      text={t`By week, the pages that are used most first. Cards are counted whenever the home page shows them, and not among the loads of a week.`}
    >
      <Table
        label={t`Loads by page`}
        expected={3}
        columns={columns}
        rows={[...rows.values()]}
        rowKey={({ page }) => page}
        empty={t`Nobody has opened it yet`}
      />
    </Card>
  )
}
