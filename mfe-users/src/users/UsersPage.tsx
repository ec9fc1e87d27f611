import { Trans, useLingui } from '@lingui/react/macro'
import { queryOf } from '@portal/client/query'
import { roles, type User, users } from '@portal/contracts/access'
import { accountFields } from '@portal/contracts/users.fields'
import { DataTable } from '@portal/screens/DataTable'
import { fieldWords } from '@portal/screens/fieldWords'
import { ListPage, pageLink } from '@portal/screens/ListPage'
import { lazy } from '@portal/screens/lazy'
import { useDialog } from '@portal/screens/useDialog'
import { useList } from '@portal/screens/useList'
import { useHost, useQuery } from '@portal/sdk'
import { Button } from '@portal/ui/Button'
import { StatCard, Stats } from '@portal/ui/Figures'
import { Count } from '@portal/ui/Money'
import { AccessTabs } from '../AccessTabs.tsx'
import { paths } from '../paths.ts'
import { fullName, nameOfRole } from '../words.ts'
import { everyRole } from './everyRole.ts'
import type { HeldRole } from './RemoveRoleDialog.tsx'
import { useUserColumns } from './useUserColumns.tsx'

const ActivationDialog = lazy(() => import('./ActivationDialog.tsx'), 'ActivationDialog')
const AddUserDialog = lazy(() => import('./AddUserDialog.tsx'), 'AddUserDialog')
const ApprovalLimitDialog = lazy(() => import('./ApprovalLimitDialog.tsx'), 'ApprovalLimitDialog')
const AssignRoleDialog = lazy(() => import('./AssignRoleDialog.tsx'), 'AssignRoleDialog')
const DeactivateUsersDialog = lazy(() => import('./DeactivateUsersDialog.tsx'), 'DeactivateUsersDialog')
const EditUserDialog = lazy(() => import('./EditUserDialog.tsx'), 'EditUserDialog')
const EndSessionsDialog = lazy(() => import('./EndSessionsDialog.tsx'), 'EndSessionsDialog')
const InviteAgainDialog = lazy(() => import('./InviteAgainDialog.tsx'), 'InviteAgainDialog')
const RemoveCodesDialog = lazy(() => import('./RemoveCodesDialog.tsx'), 'RemoveCodesDialog')
const RemoveRoleDialog = lazy(() => import('./RemoveRoleDialog.tsx'), 'RemoveRoleDialog')

/** Accounts, with how many there are and how many may sign in. */
export default function UsersPage() {
  const { t } = useLingui()
  const { client, can } = useHost()
  const { label, choicesOf } = fieldWords(accountFields)
  const list = useList(users.list, 'users')
  const known = useQuery({ ...queryOf(client, roles.list, everyRole), enabled: can('roles.view') })
  const adding = useDialog()
  const editing = useDialog<User>()
  const switching = useDialog<User>()
  const assigning = useDialog<User>()
  const limiting = useDialog<User>()
  const removing = useDialog<HeldRole>()
  const resetting = useDialog<User>()
  const ending = useDialog<User>()
  const inviting = useDialog<User>()
  const deactivating = useDialog<{ chosen: User[]; onDone: () => void }>()
  const columns = useUserColumns({ onSwitch: switching.open, onRemoveRole: removing.open })
  const { total, active, invited = 0, inactive } = list.answer ?? {}
  const add = can('users.create') && (
    <Button variant="primary" icon="plus" onClick={() => adding.open(true)}>
      <Trans>Add user</Trans>
    </Button>
  )
  return (
    <ListPage title={t`Users`} description={t`Who may sign in, and with which roles.`} actions={add}>
      <Stats columns={3}>
        <StatCard wide href={paths.users} icon="users" label={t`Total users`} {...figure(total)} />
        <StatCard
          href={`${paths.users}?status=active`}
          icon="good"
          label={t`Active users`}
          {...figure(active)}
          note={invited > 0 && t`Of them invited: ${invited}`}
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
        empty={{ title: t`No data available`, action: add || undefined }}
        search={t`Name or email`}
        rowName={fullName}
        chosenActs={[
          {
            key: 'deactivate',
            permission: 'users.deactivate',
            draw: (chosen, onDone) => (
              <Button small icon="lock" onClick={() => deactivating.open({ chosen, onDone })}>
                <Trans>Deactivate the selection</Trans>
              </Button>
            ),
          },
        ]}
        rowActions={(user) => [
          {
            label: t`Edit`,
            icon: 'pencil',
            permission: 'users.update',
            onSelect: () => editing.open(user),
          },
          {
            label: t`Assign role`,
            icon: 'shield',
            permission: 'users.assign-roles',
            onSelect: () => assigning.open(user),
          },
          {
            label: t`Limit of approval`,
            icon: 'lock',
            permission: 'users.assign-roles',
            onSelect: () => limiting.open(user),
          },
          ...(user.invited
            ? [
                {
                  label: t`Send the invitation again`,
                  icon: 'mail' as const,
                  permission: 'users.create' as const,
                  onSelect: () => inviting.open(user),
                },
              ]
            : []),
          {
            label: t`Turn off one-time codes`,
            icon: 'key',
            permission: 'users.update',
            apart: true,
            onSelect: () => resetting.open(user),
          },
          {
            label: t`Sign out everywhere`,
            icon: 'logout',
            permission: 'users.update',
            onSelect: () => ending.open(user),
          },
          {
            label: t`Personal data`,
            icon: 'file',
            permission: 'people.export',
            to: paths.person('user', user.id),
          },
        ]}
        filters={[
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
        ]}
      />
      {adding.item && <AddUserDialog onClose={adding.close} />}
      {editing.item && <EditUserDialog user={editing.item} onClose={editing.close} />}
      {switching.item && <ActivationDialog user={switching.item} onClose={switching.close} />}
      {assigning.item && <AssignRoleDialog user={assigning.item} onClose={assigning.close} />}
      {limiting.item && <ApprovalLimitDialog user={limiting.item} onClose={limiting.close} />}
      {removing.item && <RemoveRoleDialog {...removing.item} onClose={removing.close} />}
      {deactivating.item && <DeactivateUsersDialog {...deactivating.item} onClose={deactivating.close} />}
      {inviting.item && <InviteAgainDialog user={inviting.item} onClose={inviting.close} />}
      {ending.item && <EndSessionsDialog user={ending.item} onClose={ending.close} />}
      {resetting.item && <RemoveCodesDialog user={resetting.item} onClose={resetting.close} />}
    </ListPage>
  )
}

const figure = (count: number | undefined) => ({ figure: <Count value={count} />, renderLink: pageLink })
