import { Trans, useLingui } from '@lingui/react/macro'
import { messages, type SyncToken } from '@portal/contracts/attendance/messages'
import { type Column, DataTable } from '@portal/screens/DataTable'
import { ListPage } from '@portal/screens/ListPage'
import { lazy } from '@portal/screens/lazy'
import { useDialog } from '@portal/screens/useDialog'
import { useList } from '@portal/screens/useList'
import { Button } from '@portal/ui/Button'
import { DateText } from '@portal/ui/Money'
import { StatusPill } from '@portal/ui/StatusPill'
import { Connecting } from './Connecting.tsx'

const CreateTokenDialog = lazy(() => import('./CreateTokenDialog.tsx'), 'CreateTokenDialog')
const NewTokenDialog = lazy(() => import('./NewTokenDialog.tsx'), 'NewTokenDialog')
const RevokeDeviceDialog = lazy(() => import('./RevokeDeviceDialog.tsx'), 'RevokeDeviceDialog')

/** The devices and gateways that may send messages, each by a token of its own. */
export default function SyncPage() {
  const { t } = useLingui()
  const list = useList(messages.tokens, 'tokens')
  const creating = useDialog()
  const created = useDialog<{ name: string; token: string }>()
  const revoking = useDialog<SyncToken>()
  const add = (
    <Button variant="primary" icon="plus" onClick={() => creating.open(true)}>
      <Trans>Add device</Trans>
    </Button>
  )
  const columns: Column<SyncToken>[] = [
    { key: 'name', header: t`Device`, wrap: true },
    {
      key: 'revoked_at',
      header: t`Status`,
      phone: 'main',
      cell: ({ revoked_at }) =>
        revoked_at ? (
          <StatusPill tone="bad">{t`Revoked`}</StatusPill>
        ) : (
          <StatusPill tone="good">{t`Active`}</StatusPill>
        ),
    },
    {
      key: 'last_used_at',
      header: t`Last message`,
      phone: 'note',
      cell: ({ last_used_at }) =>
        last_used_at ? <DateText iso={last_used_at} time /> : <span className="muted">{t`none yet`}</span>,
    },
    { key: 'created_at', header: t`Added`, cell: ({ created_at }) => <DateText iso={created_at} time /> },
    { key: 'user', header: t`Added by`, cell: ({ user }) => `${user.first_name} ${user.last_name}` },
  ]
  return (
    <ListPage
      title={t`Message devices`}
      description={t`Phones, gateways and form servers that may send messages, each by a token of its own.`}
      actions={add}
    >
      <DataTable
        label={t`Message devices`}
        list={list}
        columns={columns}
        empty={{
          title: t`No device may send messages yet`,
          text: t`Add one, and give its token to whoever sets the device up.`,
          action: add,
        }}
        rowName={(token) => token.name}
        rowActions={(token) =>
          token.revoked_at
            ? []
            : [
                {
                  label: t`Revoke`,
                  icon: 'stop',
                  danger: true,
                  permission: 'sync.manage',
                  onSelect: () => revoking.open(token),
                },
              ]
        }
      />
      {(list.page || list.problem) && <Connecting />}
      {creating.item && <CreateTokenDialog onCreated={created.open} onClose={creating.close} />}
      {created.item && <NewTokenDialog {...created.item} onClose={created.close} />}
      {revoking.item && <RevokeDeviceDialog token={revoking.item} onClose={revoking.close} />}
    </ListPage>
  )
}
