import { useLingui } from '@lingui/react/macro'
import type { User } from '@portal/contracts/access'
import type { RowAction } from '@portal/screens/DataTable'
import { paths } from '../paths.ts'
import type { UserAct } from './UserDialogs.tsx'

/** The menu of a user's row; an invitation can be sent again until it is taken. */
export function useUserActions(onAct: (act: UserAct) => void): (user: User) => RowAction[] {
  const { t } = useLingui()
  return (user) => [
    {
      label: t`Edit`,
      icon: 'pencil',
      permission: 'users.update',
      onSelect: () => onAct({ edit: user }),
    },
    {
      label: t`Assign role`,
      icon: 'shield',
      permission: 'users.assign-roles',
      onSelect: () => onAct({ assign: user }),
    },
    {
      label: t`Limit of approval`,
      icon: 'lock',
      permission: 'users.assign-roles',
      onSelect: () => onAct({ limit: user }),
    },
    ...(user.invited
      ? [
          {
            label: t`Send the invitation again`,
            icon: 'mail' as const,
            permission: 'users.create' as const,
            onSelect: () => onAct({ invite: user }),
          },
        ]
      : []),
    {
      label: t`Turn off one-time codes`,
      icon: 'key',
      permission: 'users.update',
      apart: true,
      onSelect: () => onAct({ removeCodes: user }),
    },
    {
      label: t`Sign out everywhere`,
      icon: 'logout',
      permission: 'users.update',
      onSelect: () => onAct({ endSessions: user }),
    },
    {
      label: t`Personal data`,
      icon: 'file',
      permission: ['people.export', 'people.erase'],
      to: paths.person('user', user.id),
    },
  ]
}
