import { Trans, useLingui } from '@lingui/react/macro'
import { type Case, cases } from '@portal/contracts/cases'
import { type Column, DataTable } from '@portal/screens/DataTable'
import { ListPage } from '@portal/screens/ListPage'
import { late } from '@portal/screens/late'
import { useDialog } from '@portal/screens/useDialog'
import { useList } from '@portal/screens/useList'
import { Link, useCan } from '@portal/sdk'
import { Button } from '@portal/ui/Button'
import { DateText } from '@portal/ui/Money'
import { StatusPill } from '@portal/ui/StatusPill'
import { paths } from '../paths.ts'
import { CasePill, fullName, priorityName } from '../words.tsx'
import { caseFilters } from './filters.ts'

const CreateCaseDialog = late(() => import('./CreateCaseDialog.tsx'), 'CreateCaseDialog')

/** Cases, newest first: all of them, or those one filed or reviews (decisions 3.9). */
export default function CasesPage() {
  const { t } = useLingui()
  const can = useCan()
  const list = useList(cases.list, 'complains')
  const creating = useDialog()
  const columns: Column<Case>[] = [
    {
      key: 'title',
      header: t`Title`,
      sortable: true,
      wrap: true,
      cell: (item) => <Link to={paths.details(item.id)}>{item.title}</Link>,
    },
    {
      key: 'created_at',
      header: t`Filing date`,
      sortable: true,
      cell: (item) => <DateText iso={item.created_at} />,
    },
    { key: 'number', header: t`Case number`, sortable: true },
    { key: 'priority', header: t`Priority`, sortable: true, cell: (item) => priorityName(item.priority) },
    { key: 'due_on', header: t`Decide by`, sortable: true, cell: (item) => <Due item={item} /> },
    { key: 'assigned', header: t`Reviewer`, cell: (item) => fullName(item.assigned) },
    { key: 'type', header: t`Category`, wrap: true, cell: (item) => item.type.name },
    {
      key: 'status',
      header: t`Status`,
      phone: 'status',
      sortable: true,
      cell: (item) => <CasePill status={item.status} />,
    },
    {
      key: 'details',
      header: t`Details`,
      cell: (item) => <Link to={paths.details(item.id)}>{t`See Details`}</Link>,
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
      description={t`What was reported, who looks into it, and how far it has come.`}
      actions={create}
    >
      <DataTable
        label={t`Cases`}
        list={list}
        columns={columns}
        empty={
          list.answer?.isSearch
            ? t`No case matches your search`
            : { title: t`No reported cases yet`, action: create || undefined }
        }
        search={t`Number, title or description`}
        filters={caseFilters(list.answer)}
      />
      {creating.item && list.answer && <CreateCaseDialog choices={list.answer} onClose={creating.close} />}
    </ListPage>
  )
}

/** The day a case is due, in words too once it has passed. */
function Due({ item }: { item: Case }) {
  const { t } = useLingui()
  return (
    <>
      <DateText iso={item.due_on} /> {item.overdue && <StatusPill tone="waiting">{t`Overdue`}</StatusPill>}
    </>
  )
}
