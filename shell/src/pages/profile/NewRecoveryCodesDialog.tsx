import { useLingui } from '@lingui/react/macro'
import { profile } from '@portal/contracts/access/profile'
import { totp } from '@portal/contracts/session'
import { ConfirmDialog } from '@portal/screens/ConfirmDialog'
import { useEndpointForm } from '@portal/screens/useEndpointForm'
import { useState } from 'react'
import { RecoveryCodes } from './RecoveryCodes.tsx'

/** Replaces the recovery codes and gives the new ones once. */
export function NewRecoveryCodesDialog({ onClose }: { onClose: () => void }) {
  const { t } = useLingui()
  const [codes, setCodes] = useState<string[] | null>(null)
  const form = useEndpointForm(totp.renew, {
    refetches: [profile.read],
    quiet: true,
    onDone: (answer) => setCodes(answer.recovery_codes),
  })
  if (codes) return <RecoveryCodes codes={codes} onClose={onClose} />
  return (
    <ConfirmDialog
      title={t`New recovery codes`}
      form={form}
      onClose={onClose}
      confirmLabel={t`Replace the recovery codes`}
    >
      <p>{t`The codes that you kept so far stop working. The new ones are shown once.`}</p>
    </ConfirmDialog>
  )
}
