import { Trans, useLingui } from '@lingui/react/macro'
import { type Case, cases } from '@portal/contracts/cases'
import { formatDate } from '@portal/i18n/format'
import { type Column, DataTable } from '@portal/screens/DataTable'
import { ListPage } from '@portal/screens/ListPage'
import { lazy } from '@portal/screens/lazy'
import { useDialog } from '@portal/screens/useDialog'
import { useList } from '@portal/screens/useList'
import { useModuleActs } from '@portal/screens/useModuleActs'
import { useModuleColumns } from '@portal/screens/useModuleColumns'
import { useCan } from '@portal/sdk'
import { Button } from '@portal/ui/Button'
import { SearchBox } from '@portal/ui/Filters'
import { DateText } from '@portal/ui/Money'
import { Link } from 'react-router-dom'
import { paths } from '../paths.ts'
import { CasePill, fullName, OverduePill, priorityName } from '../words.tsx'
import { caseFilters } from './filters.ts'

const CreateCaseDialog = lazy(() => import('./CreateCaseDialog.tsx'), 'CreateCaseDialog')

/** The order that the server takes if none is given. */
const firstMine = '-mine_overdue'

/** Cases: all of them, or those one filed or reviews (Cases 2.1), in the order of Cases 2.4. */
export default function CasesPage() {
  const { t } = useLingui()
  const can = useCan()
  const list = useList(cases.list, 'complains')
  const creating = useDialog()
  const moduleActs = useModuleActs('case')
  const added = useModuleColumns('case', list.items)
  const columns: Column<Case>[] = [
    {
      key: 'created_at',
      header: t`Filing date`,
      sortable: true,
      cell: (item) => <DateText iso={item.created_at} />,
    },
    { key: 'number', header: t`Case number`, sortable: true },
    // Sorted by the day it sets, so that what is overdue comes first.
    {
      key: 'due_on',
      header: t`Priority`,
      sortable: true,
      wrap: true,
      phone: 'note',
      cell: (item) => <Due item={item} />,
    },
    { key: 'assigned', header: t`Reviewer`, wrap: true, cell: (item) => fullName(item.assigned) },
    { key: 'type', header: t`Category`, wrap: true, cell: (item) => item.type.name },
    {
      key: 'title',
      header: t`Title`,
      sortable: true,
      wrap: true,
      phone: 'title',
      cell: (item) => <Link to={paths.details(item.id)}>{item.title}</Link>,
    },
    {
      key: 'status',
      header: t`Status`,
      phone: 'note',
      sortable: true,
      wrap: true,
      // Wide enough for its longest label, awaiting external input, on two lines.
      width: '170px',
      cell: (item) => <CasePill status={item.status} />,
    },
    {
      key: 'details',
      header: t`Details`,
      cell: (item) => <SeeDetails item={item} />,
    },
  ]
  const create = can('cases.create') && list.answer && (
    <Button variant="primary" icon="plus" onClick={() => creating.open(true)}>
      <Trans>Create case</Trans>
    </Button>
  )
  return (
    <ListPage
      title={t`Case Management`}
      description={
        <>
          {can('cases.view') ? (
            <Trans>What was reported, who looks into it, and how far it has come.</Trans>
          ) : (
            <Trans>The cases that you filed or review, and how far they have come.</Trans>
          )}{' '}
          {can('cases.manage') && <Order list={list} />}
        </>
      }
      actions={create}
    >
      <DataTable
        label={t`Cases`}
        list={list}
        columns={columns}
        added={added}
        empty={{ title: t`No reported cases yet`, action: create || undefined }}
        search={
          <SearchBox
            pause={null}
            value={list.view.filter('search_term')}
            label={t`Number, title, description`}
            onSearch={(search_term) => list.show({ search_term })}
          />
        }
        filters={caseFilters(list.answer)}
        rowName={(item) => item.title}
        {...(moduleActs && { rowActions: (item: Case) => moduleActs(item) })}
      />
      {creating.item && list.answer && <CreateCaseDialog choices={list.answer} onClose={creating.close} />}
    </ListPage>
  )
}

/** Says the order of Cases 2.4, and is the way back to it from another one. */
function Order({ list }: { list: { view: { sort: string }; show: (changes: { sort: string }) => void } }) {
  if (list.view.sort === '' || list.view.sort === firstMine)
    return <Trans>Yours that are overdue come first, then the newest.</Trans>
  return (
    <Button small variant="plain" onClick={() => list.show({ sort: firstMine })}>
      <Trans>Put mine that are overdue first</Trans>
    </Button>
  )
}

/** How soon it has to be decided, and the day that makes it; said in words once the day has passed. */
function Due({ item }: { item: Case }) {
  const { t } = useLingui()
  const due = formatDate(item.due_on)
  return (
    <span>
      <span className="more">{priorityName(item.priority)}</span>
      <span className="sub nowrap">{item.overdue ? <OverduePill /> : t`by ${due}`}</span>
    </span>
  )
}

/** One link per row, with the case in its label for screen readers. */
function SeeDetails({ item }: { item: Case }) {
  const { t } = useLingui()
  return (
    <Link to={paths.details(item.id)} aria-label={t`See Details, ${item.number}`}>
      <Trans context="link of a row">See Details</Trans>
    </Link>
  )
}
