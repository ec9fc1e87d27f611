import { Plural, Trans, useLingui } from '@lingui/react/macro'
import { type Role, roles } from '@portal/contracts/access'
import { type Column, DataTable } from '@portal/screens/DataTable'
import { ListPage } from '@portal/screens/ListPage'
import { lazy } from '@portal/screens/lazy'
import { useDialog } from '@portal/screens/useDialog'
import { useLanguageRefetch } from '@portal/screens/useLanguageRefetch'
import { useList } from '@portal/screens/useList'
import { useCan } from '@portal/sdk'
import { Button } from '@portal/ui/Button'
import { Tag } from '@portal/ui/StatusPill'
import { Link } from 'react-router-dom'
import { AccessTabs } from '../AccessTabs.tsx'
import { paths } from '../paths.ts'
import { nameOfRole } from '../words.ts'
import { Allowed } from './Allowed.tsx'

const AssignPermissionsDialog = lazy(() => import('./AssignPermissionsDialog.tsx'), 'AssignPermissionsDialog')
const CreateRoleDialog = lazy(() => import('./CreateRoleDialog.tsx'), 'CreateRoleDialog')
const DeleteRoleDialog = lazy(() => import('./DeleteRoleDialog.tsx'), 'DeleteRoleDialog')
const EditRoleDialog = lazy(() => import('./EditRoleDialog.tsx'), 'EditRoleDialog')

/** Roles, each with what it allows. */
export default function RolesPage() {
  const { t } = useLingui()
  const can = useCan()
  const list = useList(roles.list, 'roles')
  // The server sorts by the names of the reader's language.
  useLanguageRefetch(roles.list)
  const creating = useDialog()
  const editing = useDialog<Role>()
  const assigning = useDialog<Role>()
  const deleting = useDialog<Role>()
  const columns: Column<Role>[] = [
    { key: 'name', header: t`Role`, sortable: true, cell: (role) => <RoleName role={role} /> },
    {
      key: 'permissions',
      header: t`Permissions`,
      wrap: true,
      cell: (role) => <Allowed role={role} onAssign={assigning.open} />,
    },
    {
      key: 'users',
      header: t`Holders`,
      align: 'right',
      phone: 'note',
      cell: (role) => <Holders role={role} />,
    },
  ]
  const create = can('roles.manage') && (
    <Button variant="primary" icon="plus" onClick={() => creating.open(true)}>
      <Trans>Create role</Trans>
    </Button>
  )
  return (
    <ListPage
      title={t`Roles`}
      description={t`What each role allows. A person may hold several.`}
      actions={create}
    >
      <AccessTabs current="roles" />
      <DataTable
        label={t`Roles & Permissions`}
        list={list}
        columns={columns}
        empty={{ title: t`No data available`, action: create || undefined }}
        search={t`Role name`}
        rowName={nameOfRole}
        rowActions={(role) => [
          {
            label: t`Edit`,
            icon: 'pencil',
            permission: 'roles.manage',
            onSelect: () => editing.open(role),
          },
          {
            label: t`Assign Permissions`,
            icon: 'shield',
            permission: 'permissions.assign',
            onSelect: () => assigning.open(role),
          },
          {
            label: t`Delete`,
            icon: 'trash',
            permission: 'roles.manage',
            danger: true,
            apart: true,
            disabled: role.administrator,
            onSelect: () => deleting.open(role),
          },
        ]}
      />
      {creating.item && <CreateRoleDialog onClose={creating.close} />}
      {editing.item && <EditRoleDialog role={editing.item} onClose={editing.close} />}
      {assigning.item && <AssignPermissionsDialog role={assigning.item} onClose={assigning.close} />}
      {deleting.item && <DeleteRoleDialog role={deleting.item} onClose={deleting.close} />}
    </ListPage>
  )
}

function RoleName({ role }: { role: Role }) {
  return (
    <span className="row">
      {nameOfRole(role)}
      {role.requires_totp && (
        <Tag>
          <Trans>One-time codes</Trans>
        </Tag>
      )}
    </span>
  )
}

function Holders({ role }: { role: Role }) {
  const can = useCan()
  const words = <Plural value={role.users} one="# user" other="# users" />
  return can('users.view') && role.users > 0 ? <Link to={paths.holders(role.id)}>{words}</Link> : words
}
