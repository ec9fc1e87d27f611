import { Trans, useLingui } from '@lingui/react/macro'
import type { User } from '@portal/contracts/access'
import { accountFields } from '@portal/contracts/access/users.fields'
import type { Column } from '@portal/screens/DataTable'
import { fieldWords } from '@portal/screens/fieldWords'
import { useCan } from '@portal/sdk'
import { Button } from '@portal/ui/Button'
import { Money } from '@portal/ui/Money'
import { StatusPill, Tag, Tags } from '@portal/ui/StatusPill'
import { fullName, nameOfRole } from '../words.ts'
import type { HeldRole } from './RemoveRoleDialog.tsx'
import type { UserAct } from './UserDialogs.tsx'

/** Name, email, title, status and roles, with the switch that follows the status. */
export function useUserColumns(onAct: (act: UserAct) => void): Column<User>[] {
  const { t } = useLingui()
  const can = useCan()
  const { label, text } = fieldWords(accountFields)
  const columns: Column<User>[] = [
    { key: 'first_name', header: t`Name`, sortable: true, cell: fullName },
    {
      key: 'email',
      header: label('email'),
      sortable: true,
      phone: 'note',
      cell: (user) => user.email ?? t`N/A`,
    },
    {
      key: 'user_title',
      header: label('user_title'),
      cell: (user) => text('user_title', user.user_title) || t`N/A`,
    },
    {
      key: 'active',
      header: t`Status`,
      phone: 'main',
      cell: ({ active, invited }) =>
        invited ? (
          <StatusPill tone="waiting">{t`Invited`}</StatusPill>
        ) : active ? (
          <StatusPill tone="good">{t`Active`}</StatusPill>
        ) : (
          <StatusPill tone="bad">{t`Deactivated`}</StatusPill>
        ),
    },
    {
      key: 'roles',
      header: t`Roles`,
      wrap: true,
      cell: (user) => (
        <>
          <RoleTags user={user} onRemove={(held) => onAct({ removeRole: held })} />
          {user.approval_limit !== null && (
            <div className="small muted">
              <Trans>
                Approves up to <Money amount={user.approval_limit} /> at once
              </Trans>
            </div>
          )}
        </>
      ),
    },
  ]
  if (can('users.deactivate')) {
    columns.push({
      key: 'switch',
      header: t`Access`,
      cell: (user) => {
        const name = fullName(user)
        return (
          <Button
            small
            icon={user.active ? 'lock' : 'check'}
            aria-label={user.active ? t`Deactivate ${name}` : t`Activate ${name}`}
            onClick={() => onAct({ switch: user })}
          >
            {user.active ? t`Deactivate` : t`Activate`}
          </Button>
        )
      },
    })
  }
  return columns
}

function RoleTags({ user, onRemove }: { user: User; onRemove: (held: HeldRole) => void }) {
  const { t } = useLingui()
  const can = useCan()
  if (user.roles.length === 0) return <span className="muted">{t`No roles`}</span>
  const name = fullName(user)
  const removal = (role: HeldRole['role']) => {
    const held = nameOfRole(role)
    return { label: t`Remove ${held} from ${name}`, onRemove: () => onRemove({ user, role }) }
  }
  return (
    <Tags>
      {user.roles.map((role) => (
        <Tag key={role.id} remove={can('users.assign-roles') ? removal(role) : undefined}>
          {nameOfRole(role)}
        </Tag>
      ))}
    </Tags>
  )
}
