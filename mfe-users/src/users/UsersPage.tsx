import { Trans, useLingui } from '@lingui/react/macro'
import { users } from '@portal/contracts/access'
import { DataTable } from '@portal/screens/DataTable'
import { ListPage } from '@portal/screens/ListPage'
import { useDialog } from '@portal/screens/useDialog'
import { useList } from '@portal/screens/useList'
import { useCan } from '@portal/sdk'
import { Button } from '@portal/ui/Button'
import { AccessTabs } from '../AccessTabs.tsx'
import { fullName } from '../words.ts'
import { type UserAct, UserDialogs } from './UserDialogs.tsx'
import { UserStats } from './UserStats.tsx'
import { useUserActions } from './useUserActions.tsx'
import { useUserColumns } from './useUserColumns.tsx'
import { useUserFilters } from './useUserFilters.tsx'

/** Accounts, with how many there are and how many may sign in. */
export default function UsersPage() {
  const { t } = useLingui()
  const can = useCan()
  const list = useList(users.list, 'users')
  const acting = useDialog<UserAct>()
  const columns = useUserColumns(acting.open)
  const filters = useUserFilters(list.answer)
  const rowActions = useUserActions(acting.open)
  const add = can('users.create') && (
    <Button variant="primary" icon="plus" onClick={() => acting.open('add')}>
      <Trans>Add user</Trans>
    </Button>
  )
  return (
    <ListPage title={t`Users`} description={t`Who may sign in, and with which roles.`} actions={add}>
      <UserStats counts={list.answer} />
      <AccessTabs current="users" />
      <DataTable
        label={t`System Users`}
        list={list}
        columns={columns}
        empty={{ title: t`No data available`, action: add || undefined }}
        search={t`Name or email`}
        filters={filters}
        rowName={fullName}
        rowActions={rowActions}
        chosenActs={[
          {
            key: 'deactivate',
            permission: 'users.deactivate',
            draw: (chosen, onDone) => (
              <Button small icon="lock" onClick={() => acting.open({ deactivate: chosen, onDone })}>
                <Trans>Deactivate the selection</Trans>
              </Button>
            ),
          },
        ]}
      />
      {acting.item && <UserDialogs act={acting.item} onClose={acting.close} />}
    </ListPage>
  )
}
