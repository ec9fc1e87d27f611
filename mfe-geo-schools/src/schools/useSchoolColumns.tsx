import { useLingui } from '@lingui/react/macro'
import type { School } from '@portal/contracts/registers'
import { schoolFields } from '@portal/contracts/registers/schools.fields'
import type { Column } from '@portal/screens/DataTable'
import { Count } from '@portal/ui/Money'
import { useFields } from '../useFields.tsx'
import { Names } from '../words.tsx'
import { CountLink } from './CountLink.tsx'

/** Name and code, who teaches and learns there, and where the school belongs. */
export function useSchoolColumns(): Column<School>[] {
  const { t } = useLingui()
  const { label } = useFields(schoolFields)
  return [
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
}
