import { Trans, useLingui } from '@lingui/react/macro'
import { schools } from '@portal/contracts/registers'
import { ColumnsDialog } from '@portal/screens/ColumnsDialog'
import { type Column, DataTable } from '@portal/screens/DataTable'
import { ListPage, pageLink } from '@portal/screens/ListPage'
import { failureOf } from '@portal/screens/problemText'
import { useChosen } from '@portal/screens/useChosen'
import { useDialog } from '@portal/screens/useDialog'
import { useList } from '@portal/screens/useList'
import { useTableView } from '@portal/screens/useTableView'
import { Button, ButtonLink } from '@portal/ui/Button'
import { Count } from '@portal/ui/Money'
import { StatusPill } from '@portal/ui/StatusPill'
import { Table } from '@portal/ui/Table'
import { Shelf, Specimen } from './Specimen.tsx'
import { emptyList, failing } from './samples.ts'

type SchoolRow = { id: number; name: string; admin_code: string; teachers: number }

function useColumns(): Column<SchoolRow>[] {
  const { t } = useLingui()
  return [
    { key: 'name', header: t`Name`, sortable: true, phone: 'title' },
    { key: 'admin_code', header: t`Code` },
    {
      key: 'teachers',
      header: t`Teachers`,
      align: 'right',
      cell: ({ teachers }) => <Count value={teachers} />,
    },
  ]
}

/** Pages of lists, a list in its states, and what is chosen in it. */
export function Lists() {
  const { t } = useLingui()
  const state =
    "const list = useList(schools.list, 'schools')\n<DataTable label={…} list={list} columns={columns} empty={…} />"
  return (
    <Shelf title={t`Pages of lists`}>
      <Specimen
        title={t`A page with a list of the server: page, search, sort, filters and views are in the address`}
        code={`const list = useList(schools.list, 'schools')
<ListPage title={…} description={…} status={…} back={{ to, label }} actions={…}>
  <DataTable label={…} list={list} columns={columns} empty={…} search={…} filters={[…]} rowActions={…} chosenActs={[…]} remember="schools" />
</ListPage>`}
      >
        <SchoolsPage />
      </Specimen>
      <Specimen title={t`A list while it is read`} code={state} silent>
        <Schools />
      </Specimen>
      <Specimen title={t`A list with nothing in it`} code={state} answers={emptyList}>
        <Schools />
      </Specimen>
      <Specimen title={t`A list that could not be read`} code={state} answers={failing}>
        <Schools />
      </Specimen>
      <Specimen
        title={t`Columns and compactness of a list, kept on the device`}
        code={`const [view, setView] = useTableView('schools')
<ColumnsDialog columns={columns} view={view} onView={setView} onClose={onClose} />`}
      >
        <OwnColumns />
      </Specimen>
      <Specimen
        title={t`Rows that were chosen, over all pages`}
        code="const chosen = useChosen(list.items, list.narrowedTo)"
      >
        <Chosen />
      </Specimen>
    </Shelf>
  )
}

function SchoolsPage() {
  const { t } = useLingui()
  const list = useList(schools.list, 'schools')
  return (
    <div className="grow">
      <ListPage
        title={t`Schools`}
        description={t`What is done on this page, in one sentence.`}
        status={<StatusPill tone="good">{t`Approved`}</StatusPill>}
        back={{ to: '/', label: t`Home` }}
        actions={
          <ButtonLink href="/schools/new" icon="plus" variant="primary" renderLink={pageLink}>
            <Trans>Add school</Trans>
          </ButtonLink>
        }
      >
        <DataTable
          label={t`Schools`}
          list={list}
          columns={useColumns()}
          empty={t`No data available`}
          search={t`Name or code`}
          filters={[{ name: 'region', as: 'select', label: t`Region`, all: t`All regions`, options: [] }]}
          remember="gallery"
          rowName={({ name }) => name}
          rowActions={() => [{ label: t`Edit`, icon: 'pencil', permission: null, onSelect: () => undefined }]}
          chosenActs={[
            {
              key: 'deactivate',
              permission: 'schools.update',
              draw: (_, clear) => (
                <Button small onClick={clear}>
                  <Trans>Deactivate</Trans>
                </Button>
              ),
            },
          ]}
        />
      </ListPage>
    </div>
  )
}

function Schools() {
  const { t } = useLingui()
  const list = useList(schools.list, 'schools')
  return <DataTable label={t`Schools`} list={list} columns={useColumns()} empty={t`No data available`} />
}

function OwnColumns() {
  const { t } = useLingui()
  const [view, setView] = useTableView('gallery of columns')
  const choosing = useDialog()
  const columns = [
    { key: 'code', label: t`Code` },
    { key: 'teachers', label: t`Teachers` },
  ]
  const shown = columns.filter(({ key }) => !view.hidden.includes(key)).map(({ label }) => label)
  return (
    <>
      <Button
        data-opens="columns"
        icon="columns"
        onClick={() => choosing.open(true)}
      >{t`Choose columns`}</Button>
      <span className="muted">{[t`Name`, ...shown].join(' · ')}</span>
      {choosing.item && (
        <ColumnsDialog columns={columns} view={view} onView={setView} onClose={choosing.close} />
      )}
    </>
  )
}

function Chosen() {
  const { t } = useLingui()
  const list = useList(schools.list, 'schools')
  const chosen = useChosen(list.items, list.narrowedTo)
  const names = chosen.rows.map(({ name }) => name).join(', ')
  return (
    <>
      <Table
        label={t`Schools to choose from`}
        columns={useColumns()}
        rows={list.page?.data}
        rowKey={({ id }) => id}
        rowName={({ name }) => name}
        empty={t`No data available`}
        failure={failureOf(list.problem, list.retry)}
        selected={chosen.selected}
        onSelect={chosen.select}
      />
      <span role="status">{names || t`Nothing is chosen.`}</span>
    </>
  )
}
