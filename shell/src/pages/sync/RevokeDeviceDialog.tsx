import { Trans, useLingui } from '@lingui/react/macro'
import { messages, type SyncToken } from '@portal/contracts/attendance/messages'
import { formatDateTime } from '@portal/i18n/format'
import { ConfirmDialog } from '@portal/screens/ConfirmDialog'
import { useEndpointForm } from '@portal/screens/useEndpointForm'

/** Takes a device's right to send away. */
export function RevokeDeviceDialog({ token, onClose }: { token: SyncToken; onClose: () => void }) {
  const { t } = useLingui()
  const form = useEndpointForm(messages.revokeToken, {
    params: { id: token.id },
    refetches: [messages.tokens],
    onDone: onClose,
  })
  const used = formatDateTime(token.last_used_at)
  return (
    <ConfirmDialog
      title={t`Revoke the token`}
      description={token.name}
      form={form}
      onClose={onClose}
      confirmLabel={<Trans>Revoke this token</Trans>}
      danger
    >
      <p>
        <Trans>
          What this device sends from now on is refused. What it has sent stays. It cannot be undone: to let
          it send again, add it anew.
        </Trans>
      </p>
      <p className="muted">
        {token.last_used_at ? (
          <Trans>Last message: {used} UTC.</Trans>
        ) : (
          <Trans>It has never sent a message.</Trans>
        )}
      </p>
    </ConfirmDialog>
  )
}
