import { useLingui } from '@lingui/react/macro'
import { teacherFields } from '@portal/contracts/registers/teachers.fields'
import { teachersSheet } from '@portal/contracts/registers/teachers.sheet'
import { type Teacher, teachers } from '@portal/contracts/registers-teachers'
import { type Column, DataTable, type RowAction } from '@portal/screens/DataTable'
import { ImportButton } from '@portal/screens/ImportButton'
import { ListPage } from '@portal/screens/ListPage'
import { useList } from '@portal/screens/useList'
import { useCan } from '@portal/sdk'
import { Count, DateText } from '@portal/ui/Money'
import { cascade } from '../cascade.ts'
import { paths } from '../paths.ts'
import { useFields } from '../useFields.tsx'
import { placeChain, usePlaceFilters } from '../usePlaceFilters.tsx'
import { LastName, useWords } from '../words.tsx'

/** The teachers of all schools; they come in by Excel only. */
export default function TeachersPage() {
  const { t } = useLingui()
  const words = useWords()
  const can = useCan()
  const { label, text, choicesOf } = useFields(teacherFields)
  const list = cascade(useList(teachers.list, 'teachers'), placeChain)
  const places = usePlaceFilters(list.view.filter, placeChain)
  const columns: Column<Teacher>[] = [
    { key: 'last_name', header: label('last_name'), sortable: true, cell: LastName },
    {
      key: 'first_name',
      header: label('first_name'),
      sortable: true,
      phone: 'hide',
      cell: ({ user }) => user.first_name,
    },
    {
      key: 'school',
      header: t`School ID`,
      sortable: true,
      phone: 'note',
      cell: ({ school }) => <SchoolCode school={school} />,
    },
    {
      key: 'classes',
      header: t`Classes`,
      align: 'right',
      cell: (each) => <Count value={each.classes.length} />,
    },
    {
      key: 'start_date',
      header: label('start_date'),
      sortable: true,
      gap: true,
      cell: (each) => <DateText iso={each.start_date} />,
    },
    {
      key: 'employment_type',
      header: label('employment_type'),
      wrap: true,
      cell: (each) => text('employment_type', each.employment_type) || words.nothing,
    },
  ]
  const acts = ({ id }: Teacher): RowAction[] => [
    {
      label: t`Personal data`,
      icon: 'file',
      permission: ['people.export', 'people.erase'],
      to: paths.personData('teacher', id),
    },
  ]
  return (
    <ListPage
      title={t`Teachers`}
      description={t`Who teaches at the schools of the programme. Teachers come in by Excel.`}
      actions={<ImportButton sheet={teachersSheet} permission="teachers.import" to={paths.importTeachers} />}
    >
      <DataTable
        label={t`Teachers`}
        list={list}
        columns={columns}
        empty={t`No data available`}
        search={t`Name or phone`}
        rowName={({ user }) => `${user.first_name} ${user.last_name}`}
        {...(can(['people.export', 'people.erase']) && { rowActions: acts })}
        filters={[
          ...places,
          {
            name: 'employment_type',
            label: label('employment_type'),
            as: 'select',
            all: t`All employment types`,
            options: choicesOf('employment_type'),
          },
        ]}
      />
    </ListPage>
  )
}

const SchoolCode = ({ school }: Pick<Teacher, 'school'>) => (
  <span>
    <span className="more">{school.admin_code}</span>
    <span className="sub">{school.name}</span>
  </span>
)
