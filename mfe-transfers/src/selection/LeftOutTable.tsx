import { useLingui } from '@lingui/react/macro'
import type { LeftOut } from '@portal/contracts/transfers/target-selection'
import { type Column, DataTable } from '@portal/screens/DataTable'
import { fullName } from '../words.tsx'
import { reasonName } from './reason-words.ts'
import type { SelectionState } from './useSelection.tsx'

/** Who of the chosen places and levels is not on the list, and why. */
export function LeftOutTable({ list, count }: SelectionState) {
  const { t } = useLingui()
  const columns: Column<LeftOut>[] = [
    { key: 'last_name', header: t`Name`, sortable: true, wrap: true, phone: 'title', cell: fullName },
    {
      key: 'student_code',
      header: t`Student code`,
      sortable: true,
      cell: ({ student_code }) => student_code,
    },
    {
      key: 'school',
      header: t`School`,
      wrap: true,
      cell: ({ school_name, class_level }) => (class_level ? `${school_name} · ${class_level}` : school_name),
    },
    {
      key: 'reason',
      header: t`Reason`,
      wrap: true,
      phone: 'note',
      cell: ({ reason }) => reasonName(reason),
    },
  ]
  const { search, filter } = list.view
  // The selection stands above the list: only search and reason are filters of the list itself.
  const own = {
    ...list,
    narrowed: search !== '' || filter('reason') !== '',
    clear: () => list.show({ search: '', reason: '' }),
  }
  return (
    <DataTable
      label={t`Who is left out`}
      list={own}
      columns={columns}
      empty={t`Nobody is left out: every student of these places and levels is on the list.`}
      search={t`Name or student code`}
      filters={[
        {
          name: 'reason',
          label: t`Reason`,
          options: (count.data?.left_out ?? []).map(({ reason, count: girls }) => ({
            value: reason,
            label: reasonName(reason),
            count: girls,
          })),
        },
      ]}
      rowName={fullName}
    />
  )
}
