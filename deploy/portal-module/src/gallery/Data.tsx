import { useLingui } from '@lingui/react/macro'
import { FilterDay } from '@portal/ui/DateBox'
import { Facts, Sheet, StatCard, Stats } from '@portal/ui/Figures'
import { FilterFold } from '@portal/ui/FilterPanel'
import { ActiveFilters, Chips, FilterSelect, Filters, SearchBox, Segmented, Tabs } from '@portal/ui/Filters'
import { Count, Money } from '@portal/ui/Money'
import { Stack, Two } from '@portal/ui/Page'
import { Pager } from '@portal/ui/Pager'
import { StatusPill } from '@portal/ui/StatusPill'
import { type Column, Table } from '@portal/ui/Table'
import { DocumentRow } from '@portal/ui/Timeline'
import { useState } from 'react'
import { Drawings } from './Drawings.tsx'
import { Shelf, Specimen } from './Specimen.tsx'

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
      <Filtered />
      <Amounts />
      <Drawings />
    </>
  )
}

function Tables() {
  const { t } = useLingui()
  const [view, setView] = useState('table')
  return (
    <Shelf title={t`Lists`}>
      <AboveList />
      <TableStates />
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

function AboveList() {
  const { t } = useLingui()
  const [status, setStatus] = useState('')
  return (
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
  )
}

/** A table with rows, and in its other states. */
function TableStates() {
  const { t } = useLingui()
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
    <>
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
    </>
  )
}

function Filtered() {
  const { t } = useLingui()
  const [day, setDay] = useState('2026-01-15')
  const [on, setOn] = useState(['KAYES', 'CAP KITA'])
  return (
    <Shelf title={t`Filters and pages beside each other`}>
      <Specimen title={t`A day to filter by`} code="<FilterDay label={…} value={day} onChange={setDay} />">
        <FilterDay label={t`Since`} value={day} onChange={setDay} />
      </Specimen>
      <Specimen
        title={t`What a list is narrowed to, each with its way out`}
        code="<ActiveFilters filters={[{ key, label, onRemove }]} onClear={…} />"
      >
        <ActiveFilters
          filters={on.map((label) => ({
            key: label,
            label,
            onRemove: () => setOn(on.filter((each) => each !== label)),
          }))}
          onClear={() => setOn([])}
        />
      </Specimen>
      <Specimen
        title={t`Pages beside each other, as links`}
        code="<Tabs label={…} tabs={[{ href, label, count, current }]} renderLink={pageLink} />"
      >
        <Tabs
          label={t`Pages of a cohort`}
          tabs={[
            { href: '#list', label: t`Rows`, count: 180, current: true },
            { href: '#failed', label: t`Failed`, count: 1, bad: true },
          ]}
        />
      </Specimen>
      <Specimen
        title={t`Two columns, one under the other on a phone`}
        code="<Two>…</Two> <Stack close>…</Stack>"
      >
        <Two>
          <Stack close>
            <strong>{t`Rows`}</strong>
            <Count value={180} />
          </Stack>
          <Stack close>
            <strong>{t`Failed`}</strong>
            <Count value={1} />
          </Stack>
        </Two>
      </Specimen>
    </Shelf>
  )
}

function Amounts() {
  const { t } = useLingui()
  const facts = [
    { key: 'agency', label: t`Transfer agency`, value: 'Sahel Mobile Money' },
    { key: 'rows', label: t`Rows`, value: <Count value={180} />, note: t`one of them failed` },
  ]
  return (
    <Shelf title={t`Facts and files`}>
      <Specimen
        title={t`Figures that lead to their pages`}
        code="<Stats columns={2}><StatCard href={…} icon={…} label={…} figure={…} note={…} /></Stats>"
      >
        <Stats columns={2}>
          <StatCard
            href="#schools"
            icon="school"
            label={t`Schools`}
            figure={<Count value={412} />}
            note={t`in this year`}
          />
          <StatCard
            href="#students"
            icon="users"
            label={t`Students`}
            figure={<Count value={15_012} />}
            note={t`in this year`}
          />
        </Stats>
      </Specimen>
      <Specimen title={t`What a thing is, in a line`} code="<Facts facts={[{ key, label, value, note }]} />">
        <Facts facts={facts} />
      </Specimen>
      <Specimen
        title={t`What a thing is, a line per fact`}
        code="<Sheet facts={[{ key, label, value, note }]} />"
      >
        <Sheet facts={facts} />
      </Specimen>
      <Specimen title={t`A file of a thing`} code="<DocumentRow name={…} note={…} action={…} />">
        <DocumentRow name="liste-kita.pdf" note="240 KB" />
      </Specimen>
    </Shelf>
  )
}
