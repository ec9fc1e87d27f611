import { useLingui } from '@lingui/react/macro'
import { type School, schools } from '@portal/contracts/registers'
import { schoolFields } from '@portal/contracts/schools.fields'
import { schoolsSheet } from '@portal/contracts/schools.sheet'
import { type Column, DataTable } from '@portal/screens/DataTable'
import { ExportButton } from '@portal/screens/ExportButton'
import { ImportButton } from '@portal/screens/ImportButton'
import { ListPage } from '@portal/screens/ListPage'
import { lazy } from '@portal/screens/lazy'
import { useDialog } from '@portal/screens/useDialog'
import { useList } from '@portal/screens/useList'
import { useModuleActs } from '@portal/screens/useModuleActs'
import { useModuleColumns } from '@portal/screens/useModuleColumns'
import { Count } from '@portal/ui/Money'
import { cascade } from '../cascade.ts'
import { paths } from '../paths.ts'
import { useFields } from '../useFields.tsx'
import { withoutBlanks } from '../without-blanks.ts'
import { Names } from '../words.tsx'
import { CountLink } from './CountLink.tsx'
import { useSchoolFilters } from './useSchoolFilters.tsx'

const EditSchoolDialog = lazy(() => import('./EditSchoolDialog.tsx'), 'EditSchoolDialog')

/** The schools of the programme, with who teaches and learns there. */
export default function SchoolsPage() {
  const { t } = useLingui()
  const { label } = useFields(schoolFields)
  const list = cascade(useList(schools.list, 'schools'), ['region', 'cap'])
  const editing = useDialog<School>()
  const filters = useSchoolFilters(list.view.filter)
  const moduleActs = useModuleActs('school')
  const added = useModuleColumns('school', list.items)
  const columns: Column<School>[] = [
    // Shorter in French than the names of the fields: ten columns stand beside each other.
    {
      key: 'name',
      header: t({ message: 'School name', context: 'column' }),
      sortable: true,
      wrap: true,
      width: '20%',
    },
    {
      key: 'admin_code',
      header: t({ message: 'School ID', context: 'column' }),
      sortable: true,
      phone: 'note',
    },
    {
      key: 'teachers',
      header: t`Teachers`,
      align: 'right',
      cell: (s) => <CountLink school={s} type="teacher" />,
    },
    {
      key: 'students',
      header: t`Students`,
      align: 'right',
      cell: (s) => <CountLink school={s} type="student" />,
    },
    { key: 'classes', header: t`Classes`, align: 'right', cell: (s) => <Count value={s.classes} /> },
    {
      key: 'cap',
      header: label('admin_district_as_cap'),
      sortable: true,
      gap: true,
      wrap: true,
      phone: 'note',
      cell: (s) => <span className="small">{s.admin_district_as_cap}</span>,
    },
    {
      key: 'academy',
      header: label('education_authority_as_ae'),
      sortable: true,
      wrap: true,
      cell: (s) => <span className="small">{s.education_authority_as_ae}</span>,
    },
    {
      key: 'arrondissement',
      header: t`Locale`,
      wrap: true,
      cell: (s) => <span className="small">{s.arrondissement?.name ?? t`N/A`}</span>,
    },
    {
      key: 'partners',
      header: t`Partners`,
      wrap: true,
      cell: (s) => (
        <span className="small">
          <Names names={s.partners.map(({ name }) => name)} />
        </span>
      ),
    },
  ]
  const { search, filter } = list.view
  const asked = {
    search,
    region: filter('region'),
    cercle: filter('cercle'),
    academy: filter('academy'),
    cap: filter('cap'),
    partner: filter('partner'),
    type: filter('type'),
  }
  return (
    <ListPage
      title={t`Schools`}
      description={t`The schools of the programme, with their teachers, students and classes.`}
      actions={
        <>
          <ImportButton sheet={schoolsSheet} permission="schools.import" to={paths.importSchools} />
          <ExportButton endpoint={schools.export} permission="schools.export" body={withoutBlanks(asked)}>
            {t`Export`}
          </ExportButton>
        </>
      }
    >
      <DataTable
        label={t`Schools`}
        list={list}
        columns={columns}
        added={added}
        empty={t`No data available`}
        search={t`School name or ID`}
        filters={filters}
        chosenActs={[
          {
            key: 'export',
            permission: 'schools.export',
            draw: (chosen) => (
              <ExportButton
                endpoint={schools.export}
                permission="schools.export"
                body={{ ids: chosen.map(({ id }) => id) }}
              >
                {t`Export the selection`}
              </ExportButton>
            ),
          },
        ]}
        rowName={(school) => school.name}
        rowActions={(school) => [
          {
            label: t`Edit`,
            icon: 'pencil',
            permission: 'schools.update',
            onSelect: () => editing.open(school),
          },
          {
            label: t`See teachers`,
            icon: 'users',
            permission: 'teachers.view',
            to: paths.schoolPeople(school.id, 'teacher'),
          },
          {
            label: t`See students`,
            icon: 'school',
            permission: 'students.view',
            to: paths.schoolPeople(school.id, 'student'),
          },
          ...(moduleActs?.({ id: school.id, name: school.name, code: school.admin_code }) ?? []),
        ]}
      />
      {editing.item && <EditSchoolDialog school={editing.item} onClose={editing.close} />}
    </ListPage>
  )
}
