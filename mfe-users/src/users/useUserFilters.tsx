import { useLingui } from '@lingui/react/macro'
import { queryOf } from '@portal/client/query'
import { roles } from '@portal/contracts/access'
import { accountFields } from '@portal/contracts/access/users.fields'
import type { ListFilter } from '@portal/screens/DataTable'
import { fieldWords } from '@portal/screens/fieldWords'
import { useHost, useQuery } from '@portal/sdk'
import { nameOfRole } from '../words.ts'
import { everyRole } from './every-role.ts'
import type { UserCounts } from './UserStats.tsx'

/** Status with its counts, role for whoever may see roles, and type. */
export function useUserFilters(counts: UserCounts | undefined): ListFilter<'status' | 'role' | 'type'>[] {
  const { t } = useLingui()
  const { total, active, invited = 0, inactive } = counts ?? {}
  const { client, can } = useHost()
  const { label, choicesOf } = fieldWords(accountFields)
  const known = useQuery({ ...queryOf(client, roles.list, everyRole), enabled: can('roles.view') })
  return [
    {
      name: 'status',
      label: t`Status`,
      total,
      options: [
        { value: 'active', label: t`Active`, count: active },
        { value: 'invited', label: t`Invited`, count: invited },
        { value: 'inactive', label: t`Deactivated`, count: inactive },
      ],
    },
    ...(known.data
      ? [
          {
            name: 'role' as const,
            as: 'select' as const,
            label: t`Role`,
            all: t`All roles`,
            options: known.data.roles.data.map((role) => ({
              value: String(role.id),
              label: nameOfRole(role),
            })),
          },
        ]
      : []),
    {
      name: 'type',
      as: 'select',
      label: label('type'),
      all: t`All types`,
      options: choicesOf('type'),
    },
  ]
}
