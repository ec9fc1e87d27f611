import { useLingui } from '@lingui/react/macro'
import { type Role, roles } from '@portal/contracts/access'
import { type Column, DataTable } from '@portal/screens/DataTable'
import { ListPage } from '@portal/screens/ListPage'
import { useList } from '@portal/screens/useList'
import { Tag, Tags } from '@portal/ui/StatusPill'
import { AccessTabs } from '../AccessTabs.tsx'
import { actionName, resourceName } from '../words.ts'

/** Roles, each with what it allows. */
export default function RolesPage() {
  const { t } = useLingui()
  const list = useList(roles.list, 'roles')
  const columns: Column<Role>[] = [
    { key: 'name', header: t`Role`, sortable: true },
    { key: 'permissions', header: t`Permissions`, wrap: true, cell: (role) => <Allowed role={role} /> },
  ]
  return (
    <ListPage title={t`Roles`} description={t`What each role allows. A person may hold several.`}>
      <AccessTabs current="roles" />
      <DataTable
        label={t`Roles & Permissions`}
        list={list}
        columns={columns}
        empty={t`No data available`}
        search={t`Role name`}
      />
    </ListPage>
  )
}

/** `schools.view`, `schools.update` as one line: "Schools: view, change". */
function Allowed({ role }: { role: Role }) {
  const { t } = useLingui()
  const byResource = Map.groupBy(role.permissions, ({ name }) => name.split('.')[0] ?? name)
  if (byResource.size === 0) return <span className="muted">{t`No permissions`}</span>
  return (
    <Tags>
      {[...byResource].map(([resource, permissions]) => (
        <Tag key={resource}>
          {resourceName(resource)}:{' '}
          {permissions.map(({ name }) => actionName(name.split('.')[1] ?? name)).join(', ')}
        </Tag>
      ))}
    </Tags>
  )
}
