import { useLingui } from '@lingui/react/macro'
import { parentFields } from '@portal/contracts/registers/parents.fields'
import { parentsSheet } from '@portal/contracts/registers/parents.sheet'
import { type Parent, parents } from '@portal/contracts/registers-parents'
import { type Column, DataTable } from '@portal/screens/DataTable'
import { ImportButton } from '@portal/screens/ImportButton'
import { ListPage } from '@portal/screens/ListPage'
import { lazy } from '@portal/screens/lazy'
import { useDialog } from '@portal/screens/useDialog'
import { useList } from '@portal/screens/useList'
import { cascade } from '../cascade.ts'
import { paths } from '../paths.ts'
import { useFields } from '../useFields.tsx'
import { usePlaceFilters } from '../usePlaceFilters.tsx'
import { Names, useWords } from '../words.tsx'

const EditParentDialog = lazy(() => import('./EditParentDialog.tsx'), 'EditParentDialog')

/** The guardians, whom the programme pays. */
export default function ParentsPage() {
  const { t } = useLingui()
  const { nothing } = useWords()
  const { label, text, choicesOf } = useFields(parentFields)
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
    { key: 'parent_assigned_id', header: label('parent_assigned_id'), sortable: true, phone: 'note' },
    {
      key: 'students',
      header: t`Affiliated students`,
      wrap: true,
      cell: (each) => <Names names={each.students.map(({ name }) => name)} />,
    },
    {
      key: 'contact',
      header: t`Contact`,
      phone: 'main',
      cell: (each) => text('contact_1', each.contact_1) || nothing,
    },
    {
      key: 'displaced',
      header: label('displaced_or_resident'),
      phone: 'note',
      cell: (each) => text('displaced_or_resident', each.displaced_or_resident) || nothing,
    },
    {
      key: 'handicap',
      header: label('is_handicap'),
      cell: (each) => text('is_handicap', each.is_handicap) || nothing,
    },
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
            label: label('displaced_or_resident'),
            as: 'select',
            all: t`Displaced and resident`,
            options: choicesOf('displaced_or_resident'),
          },
          {
            name: 'handicap',
            label: label('is_handicap'),
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
          {
            label: t`Payments`,
            icon: 'transfers',
            permission: 'transfers.view',
            to: paths.guardianPayments(parent.id),
          },
          {
            label: t`Personal data`,
            icon: 'file',
            permission: ['people.export', 'people.erase'],
            to: paths.personData('guardian', parent.id),
          },
        ]}
      />
      {editing.item && <EditParentDialog parent={editing.item} onClose={editing.close} />}
    </ListPage>
  )
}
