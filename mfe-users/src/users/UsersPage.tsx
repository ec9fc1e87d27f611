import { useLingui } from '@lingui/react/macro'
import { type User, users } from '@portal/contracts/access'
import { type Column, DataTable } from '@portal/screens/DataTable'
import { ListPage, pageLink } from '@portal/screens/ListPage'
import { useList } from '@portal/screens/useList'
import { StatCard, Stats } from '@portal/ui/Figures'
import { Count } from '@portal/ui/Money'
import { StatusPill, Tag, Tags } from '@portal/ui/StatusPill'
import { AccessTabs } from '../AccessTabs.tsx'
import { paths } from '../paths.ts'
import { titleOf } from '../words.ts'

/** Accounts, with how many there are and how many may sign in. */
export default function UsersPage() {
  const { t } = useLingui()
  const list = useList(users.list, 'users')
  const columns: Column<User>[] = [
    {
      key: 'first_name',
      header: t`Name`,
      sortable: true,
      cell: (user) => `${user.first_name} ${user.last_name}`,
    },
    { key: 'email', header: t`Email`, sortable: true, cell: (user) => user.email ?? t`N/A` },
    {
      key: 'user_title',
      header: t({ message: 'Title', context: 'of a person' }),
      cell: (user) => titleOf(user.user_title) ?? t`N/A`,
    },
    {
      key: 'active',
      header: t`Status`,
      phone: 'status',
      cell: ({ active }) =>
        active ? (
          <StatusPill tone="good">{t`Active`}</StatusPill>
        ) : (
          <StatusPill tone="bad">{t`Deactivated`}</StatusPill>
        ),
    },
    { key: 'roles', header: t`Roles`, wrap: true, cell: ({ roles }) => <RoleTags roles={roles} /> },
  ]
  const { total, active, inactive } = list.answer ?? {}
  return (
    <ListPage title={t`Users`} description={t`Who may sign in, and with which roles.`}>
      <Stats columns={3}>
        <StatCard wide href={paths.users} icon="users" label={t`Total users`} {...figure(total)} />
        <StatCard
          href={`${paths.users}?status=active`}
          icon="good"
          label={t`Active users`}
          {...figure(active)}
        />
        <StatCard
          href={`${paths.users}?status=inactive`}
          icon="bad"
          label={t`Deactivated users`}
          {...figure(inactive)}
        />
      </Stats>
      <AccessTabs current="users" />
      <DataTable
        label={t`System Users`}
        list={list}
        columns={columns}
        empty={t`No data available`}
        search={t`Name or email`}
        filters={[
          {
            name: 'status',
            label: t`Status`,
            total,
            options: [
              { value: 'active', label: t`Active`, count: active },
              { value: 'inactive', label: t`Deactivated`, count: inactive },
            ],
          },
        ]}
      />
    </ListPage>
  )
}

const figure = (count: number | undefined) => ({ figure: <Count value={count} />, renderLink: pageLink })

function RoleTags({ roles }: { roles: User['roles'] }) {
  const { t } = useLingui()
  if (roles.length === 0) return <span className="muted">{t`No roles`}</span>
  return (
    <Tags>
      {roles.map((role) => (
        <Tag key={role.id}>{role.name}</Tag>
      ))}
    </Tags>
  )
}
