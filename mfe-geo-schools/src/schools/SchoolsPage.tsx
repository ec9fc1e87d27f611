import { useLingui } from '@lingui/react/macro'
import { type School, schools } from '@portal/contracts/registers'
import { schoolsSheet } from '@portal/contracts/registers/schools.sheet'
import { DataTable } from '@portal/screens/DataTable'
import { ExportButton } from '@portal/screens/ExportButton'
import { ImportButton } from '@portal/screens/ImportButton'
import { ListPage } from '@portal/screens/ListPage'
import { lazy } from '@portal/screens/lazy'
import { useDialog } from '@portal/screens/useDialog'
import { useList } from '@portal/screens/useList'
import { useModuleColumns } from '@portal/screens/useModuleColumns'
import { cascade } from '../cascade.ts'
import { paths } from '../paths.ts'
import { withoutBlanks } from '../without-blanks.ts'
import { useSchoolActions } from './useSchoolActions.tsx'
import { useSchoolColumns } from './useSchoolColumns.tsx'
import { useSchoolFilters } from './useSchoolFilters.tsx'

const EditSchoolDialog = lazy(() => import('./EditSchoolDialog.tsx'), 'EditSchoolDialog')

/** The schools of the programme, with who teaches and learns there. */
export default function SchoolsPage() {
  const { t } = useLingui()
  const list = cascade(useList(schools.list, 'schools'), ['region', 'cap'])
  const editing = useDialog<School>()
  const columns = useSchoolColumns()
  const added = useModuleColumns('school', list.items)
  const filters = useSchoolFilters(list.view.filter)
  const rowActions = useSchoolActions(editing.open)
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
        rowActions={rowActions}
      />
      {editing.item && <EditSchoolDialog school={editing.item} onClose={editing.close} />}
    </ListPage>
  )
}
