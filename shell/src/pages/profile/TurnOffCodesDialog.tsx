import { useLingui } from '@lingui/react/macro'
import { profile } from '@portal/contracts/access/profile'
import { totp } from '@portal/contracts/session'
import { ConfirmDialog } from '@portal/screens/ConfirmDialog'
import { useEndpointForm } from '@portal/screens/useEndpointForm'
import { PasswordField } from '@portal/ui/TextField'
import { client } from '../../session/client.ts'
import { refreshSession } from '../../session/refresh.ts'

/** Turns one-time codes off, by the password. */
export function TurnOffCodesDialog({ onClose }: { onClose: () => void }) {
  const { t } = useLingui()
  const form = useEndpointForm(totp.remove, {
    defaults: { current_password: '' },
    refetches: [profile.read],
    onDone: () => {
      void refreshSession(client)
      onClose()
    },
  })
  return (
    <ConfirmDialog
      title={t`Turn off one-time codes`}
      form={form}
      onClose={onClose}
      danger
      confirmLabel={t`Turn off one-time codes`}
    >
      <p>{t`Your password alone is then enough to sign in, and the recovery codes stop working.`}</p>
      <PasswordField
        control={form.control}
        name="current_password"
        label={t`Current password`}
        autoComplete="current-password"
        required
      />
    </ConfirmDialog>
  )
}
