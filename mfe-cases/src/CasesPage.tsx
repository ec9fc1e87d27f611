import { useLingui } from '@lingui/react/macro'
import { type Case, cases } from '@portal/contracts/cases'
import { type Column, DataTable } from '@portal/screens/DataTable'
import { ListPage } from '@portal/screens/ListPage'
import { useList } from '@portal/screens/useList'
import { DateText } from '@portal/ui/Money'
import { CasePill, fullName, priorityName } from './words.tsx'

/** Cases, newest first: all of them, or those one filed or reviews (decisions 3.9). */
export default function CasesPage() {
  const { t } = useLingui()
  const list = useList(cases.list, 'complains')
  const columns: Column<Case>[] = [
    { key: 'title', header: t`Title`, sortable: true, wrap: true },
    {
      key: 'created_at',
      header: t`Filing date`,
      sortable: true,
      cell: (c) => <DateText iso={c.created_at} />,
    },
    { key: 'number', header: t`Case number`, sortable: true },
    { key: 'priority', header: t`Priority`, sortable: true, cell: (c) => priorityName(c.priority) },
    { key: 'assigned', header: t`Reviewer`, cell: (c) => fullName(c.assigned) },
    { key: 'type', header: t`Category`, wrap: true, cell: (c) => c.type.name },
    { key: 'status', header: t`Status`, phone: 'status', cell: (c) => <CasePill status={c.status} /> },
  ]
  return (
    <ListPage
      title={t`Case Management`}
      description={t`What was reported, who looks into it, and how far it has come.`}
    >
      <DataTable
        label={t`Cases`}
        list={list}
        columns={columns}
        empty={t`No reported cases yet`}
        search={t`Number, title or description`}
        filters={[
          {
            name: 'status',
            label: t`Status`,
            options: [
              { value: 'new', label: t`New` },
              { value: 'open', label: t`Open` },
              { value: 'in_progress', label: t`Awaiting external input` },
              { value: 'resolved', label: t`Resolved` },
              { value: 'rejected', label: t({ message: 'Rejected', context: 'of a case' }) },
            ],
          },
        ]}
      />
    </ListPage>
  )
}
