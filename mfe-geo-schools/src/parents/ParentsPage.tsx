import { useLingui } from '@lingui/react/macro'
import { parentsSheet } from '@portal/contracts/parents.sheet'
import { type Parent, parents } from '@portal/contracts/registers-parents'
import { formatPhone } from '@portal/i18n/format'
import { type Column, DataTable } from '@portal/screens/DataTable'
import { ImportButton } from '@portal/screens/ImportButton'
import { ListPage } from '@portal/screens/ListPage'
import { late } from '@portal/screens/late'
import { useDialog } from '@portal/screens/useDialog'
import { useList } from '@portal/screens/useList'
import { cascade } from '../cascade.ts'
import { paths } from '../paths.ts'
import { usePlaceFilters } from '../usePlaceFilters.tsx'
import { displacedWords, Names, useWords } from '../words.tsx'

const EditParentDialog = late(() => import('./EditParentDialog.tsx'), 'EditParentDialog')

/** The guardians, whom the programme pays. */
export default function ParentsPage() {
  const { t } = useLingui()
  const words = useWords()
  const list = cascade(useList(parents.list, 'parents'), ['cap', 'school'])
  const places = usePlaceFilters(list.view.filter, ['cap', 'school'])
  const editing = useDialog<Parent>()
  const columns: Column<Parent>[] = [
    {
      key: 'last_name',
      header: t`Name`,
      sortable: true,
      wrap: true,
      cell: ({ user }) => `${user.first_name} ${user.last_name}`,
    },
    { key: 'parent_assigned_id', header: t`Parent code`, sortable: true },
    {
      key: 'students',
      header: t`Affiliated students`,
      wrap: true,
      cell: (each) => <Names names={each.students.map(({ name }) => name)} />,
    },
    {
      key: 'contact',
      header: t`Contact`,
      cell: (each) => (each.contact_1 ? formatPhone(each.contact_1) : words.nothing),
    },
    {
      key: 'displaced',
      header: t`Displaced`,
      cell: (each) => words.of(displacedWords, each.displaced_or_resident),
    },
    { key: 'handicap', header: t`Handicap`, cell: (each) => words.yesNo(each.is_handicap) },
  ]
  return (
    <ListPage
      title={t`Parents`}
      description={t`The guardians of the girls: they receive the transfers.`}
      actions={<ImportButton sheet={parentsSheet} permission="parents.import" to={paths.importParents} />}
    >
      <DataTable
        label={t`Parents`}
        list={list}
        columns={columns}
        empty={t`No data available`}
        search={t`Name, code or phone`}
        filters={[
          ...places,
          {
            name: 'displaced',
            label: t`Displaced`,
            as: 'select',
            all: t`Displaced and resident`,
            options: words.choices(displacedWords),
          },
          {
            name: 'handicap',
            label: t`Handicap`,
            as: 'select',
            all: t`With and without handicap`,
            options: [
              { value: 'true', label: t`With handicap` },
              { value: 'false', label: t`Without handicap` },
            ],
          },
        ]}
        rowName={({ user }) => `${user.first_name} ${user.last_name}`}
        rowActions={(parent) => [
          {
            label: t`Edit`,
            icon: 'pencil',
            permission: 'parents.update',
            onSelect: () => editing.open(parent),
          },
        ]}
      />
      {editing.item && <EditParentDialog parent={editing.item} onClose={editing.close} />}
    </ListPage>
  )
}
