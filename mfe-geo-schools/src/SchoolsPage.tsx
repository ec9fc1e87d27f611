import { useLingui } from '@lingui/react/macro'
import { type School, schools } from '@portal/contracts/registers'
import { type Column, DataTable } from '@portal/screens/DataTable'
import { ListPage } from '@portal/screens/ListPage'
import { useList } from '@portal/screens/useList'
import { Count } from '@portal/ui/Money'

/** The schools of the programme, with who teaches and learns there. */
export default function SchoolsPage() {
  const { t } = useLingui()
  const list = useList(schools.list, 'schools')
  const columns: Column<School>[] = [
    { key: 'name', header: t`School name`, sortable: true, wrap: true },
    { key: 'admin_code', header: t`School ID`, sortable: true },
    { key: 'teachers', header: t`Teachers`, align: 'right', cell: (s) => <Count value={s.teachers} /> },
    { key: 'students', header: t`Students`, align: 'right', cell: (s) => <Count value={s.students} /> },
    { key: 'classes', header: t`Classes`, align: 'right', cell: (s) => <Count value={s.classes} /> },
    { key: 'admin_district_as_cap', header: t`CAP`, gap: true, wrap: true },
    { key: 'education_authority_as_ae', header: t`AE`, wrap: true },
    { key: 'arrondissement', header: t`Locale`, wrap: true, cell: (s) => s.arrondissement?.name ?? t`N/A` },
    {
      key: 'partners',
      header: t`Partners`,
      wrap: true,
      cell: (s) => s.partners.map(({ name }) => name).join(', ') || t`N/A`,
    },
  ]
  return (
    <ListPage
      title={t`Schools`}
      description={t`The schools of the programme, with their teachers, students and classes.`}
    >
      <DataTable
        label={t`Schools`}
        list={list}
        columns={columns}
        empty={t`No data available`}
        search={t`School name or ID`}
      />
    </ListPage>
  )
}
