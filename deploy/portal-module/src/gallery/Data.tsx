import { useLingui } from '@lingui/react/macro'
import { formatPercent } from '@portal/i18n/format'
import { BarChart } from '@portal/ui/BarChart'
import { ColumnChart } from '@portal/ui/ColumnChart'
import { Figures } from '@portal/ui/Figures'
import { FilterFold } from '@portal/ui/FilterPanel'
import { Chips, FilterSelect, Filters, SearchBox, Segmented } from '@portal/ui/Filters'
import { Money } from '@portal/ui/Money'
import { Pager } from '@portal/ui/Pager'
import { ProgressCard } from '@portal/ui/Progress'
import { StatusPill } from '@portal/ui/StatusPill'
import { type Column, Table } from '@portal/ui/Table'
import { Timeline } from '@portal/ui/Timeline'
import { useState } from 'react'
import { Shelf, Specimen } from './Specimen.tsx'
import '@portal/ui/chart.css'

type Row = { id: number; name: string; amount: number }
const rows: Row[] = [
  { id: 1, name: 'Awa Keïta', amount: 10_500 },
  { id: 2, name: 'Salif Traoré', amount: 12_500 },
]
const noop = () => undefined

/** Tables, lists and charts. */
export function Data() {
  return (
    <>
      <Tables />
      <Drawings />
    </>
  )
}

function Tables() {
  const { t } = useLingui()
  const [status, setStatus] = useState('')
  const [view, setView] = useState('table')
  const columns: Column<Row>[] = [
    { key: 'name', header: t`Parent name` },
    {
      key: 'status',
      header: t`Status`,
      phone: 'status',
      cell: () => <StatusPill tone="good">{t`Success`}</StatusPill>,
    },
    {
      key: 'amount',
      header: t`Amount`,
      align: 'right',
      cell: ({ amount }) => <Money amount={amount} />,
    },
  ]
  const shared = { columns, rowKey: ({ id }: Row) => id, empty: t`No data available` }
  return (
    <Shelf title={t`Lists`}>
      <Specimen
        title={t`Search and filters above a list`}
        code="<Filters><SearchBox … /><FilterFold on={1}>…</FilterFold><Chips … /></Filters>"
      >
        <Filters>
          <SearchBox value="" label={t`Name or number`} onSearch={noop} />
          <FilterFold on={0}>
            <FilterSelect
              label={t`Region`}
              all={t`All regions`}
              options={[{ value: 'kayes', label: 'KAYES' }]}
              value=""
              onChange={noop}
            />
            <FilterSelect
              label={t`CAP`}
              all={t`All CAPs`}
              options={[{ value: 'kita', label: 'CAP KITA' }]}
              value=""
              onChange={noop}
            />
          </FilterFold>
          <Chips
            label={t`Status`}
            value={status}
            onChange={setStatus}
            chips={[
              { value: '', label: t`All`, count: 180 },
              { value: 'failed', label: t`Failed`, count: 1 },
            ]}
          />
        </Filters>
      </Specimen>
      <Specimen
        title={t`Rows, cards on a phone`}
        code="<Table label={…} columns={columns} rows={rows} rowKey={…} rowActions={…} empty={…} />"
      >
        <Table
          {...shared}
          label={t`Rows`}
          rows={rows}
          rowName={({ name }) => name}
          rowActions={() => [{ label: t`Edit`, icon: 'pencil' }]}
        />
      </Specimen>
      <Specimen title={t`While it is read`} code="<Table … rows={undefined} expected={2} />">
        <Table {...shared} label={t`Rows on their way`} rows={undefined} expected={2} />
      </Specimen>
      <Specimen title={t`Empty`} code="<Table … rows={[]} />">
        <Table {...shared} label={t`No rows`} rows={[]} />
      </Specimen>
      <Specimen title={t`Failed`} code="<Table … failure={{ title, text, onRetry }} />">
        <Table
          {...shared}
          label={t`Rows that did not come`}
          rows={undefined}
          failure={{ title: t`The list could not be loaded.`, onRetry: noop }}
        />
      </Specimen>
      <Specimen
        title={t`What is shown of how many`}
        code="<Pager page={2} last={45} perPage={15} total={671} href={…} />"
      >
        <Pager page={2} last={45} perPage={15} total={671} href={() => '#'} onPage={noop} />
      </Specimen>
      <Specimen
        title={t`Two ways of showing the same`}
        code="<Segmented label={…} segments={…} value={…} onChange={…} />"
      >
        <Segmented
          label={t`View`}
          value={view}
          onChange={setView}
          segments={[
            { value: 'table', label: t`Table` },
            { value: 'chart', label: t`Chart` },
          ]}
        />
      </Specimen>
    </Shelf>
  )
}

function Drawings() {
  const { t } = useLingui()
  return (
    <Shelf title={t`Figures and charts`}>
      <Specimen title={t`Amounts that hold to the franc`} code="<Figures sum figures={[…]} />">
        <Figures
          sum
          figures={[
            { key: 'expected', label: t`Expected`, amount: 2_730_000 },
            { key: 'disbursed', label: t`Disbursed`, amount: 2_715_000, swatch: 'good' },
            { key: 'arrears', label: t`Arrears`, amount: 15_000, swatch: 'bad' },
          ]}
        />
      </Specimen>
      <Specimen
        title={t`What goes on, and how far it is`}
        code="<ProgressCard title={…} total={180} parts={[…]} pace={…} meanwhile={…} />"
      >
        <ProgressCard
          title={t`Disbursing money to beneficiaries`}
          text={t`Processing 120 of 180 beneficiaries`}
          total={180}
          parts={[
            { key: 'success', label: t`Success`, count: 117, tone: 'good' },
            { key: 'failed', label: t`Failed`, count: 3, tone: 'bad' },
            { key: 'rest', label: t`Still to send`, count: 60, tone: 'rest' },
          ]}
          meanwhile={t`You can leave this page.`}
        />
      </Specimen>
      <Specimen title={t`Lying bars`} code="<BarChart label={…} bars={[{ key, label, value, shown }]} />">
        <BarChart
          label={t`Disbursement by CAP`}
          bars={[
            { key: 'san', label: 'CAP SAN', value: 2_428, shown: <Money amount={2_428_000} /> },
            { key: 'kita', label: 'CAP KITA', value: 1_344, shown: <Money amount={1_344_000} /> },
          ]}
        />
      </Specimen>
      <Specimen title={t`Standing columns`} code="<ColumnChart label={…} series={…} groups={…} format={…} />">
        <ColumnChart
          label={t`Present: teachers 97%, students 90%`}
          series={[
            { key: 'teachers', label: t`Teachers`, tone: 'accent' },
            { key: 'students', label: t`Students`, tone: 'warm' },
          ]}
          groups={[{ key: 'day', label: '16/11', values: [0.97, 0.9] }]}
          format={(value) => formatPercent(value)}
        />
      </Specimen>
      <Specimen
        title={t`What happened, newest first`}
        code="<Timeline events={[{ key, icon, title, when, text, by }]} />"
      >
        <Timeline
          events={[
            {
              key: 1,
              icon: 'good',
              tone: 'good',
              title: t`Case resolved`,
              when: '30/09/2026',
              by: 'Salimata Dembélé',
            },
            { key: 2, icon: 'plus', title: t`Case filed`, when: '29/09/2026', by: 'Modibo Guindo' },
          ]}
        />
      </Specimen>
    </Shelf>
  )
}
