import { useLingui } from '@lingui/react/macro'
import { ConfirmDialog } from '@portal/screens/ConfirmDialog'
import type { AnyForm } from '@portal/screens/useEndpointForm'

type Props = {
  /** What is taken out of use, or back into it. */
  of: { name: string; status: 'active' | 'inactive' }
  form: AnyForm
  onClose: () => void
  /** What follows from either. */
  consequence: { deactivated: string; activated: string }
}

/** Confirms that something is taken out of use, or back. */
export function SwitchDialog({ of, form, onClose, consequence }: Props) {
  const { t } = useLingui()
  const active = of.status === 'active'
  return (
    <ConfirmDialog
      title={active ? t`Deactivate ${of.name}?` : t`Activate ${of.name}?`}
      form={form}
      onClose={onClose}
      danger={active}
      confirmLabel={active ? t`Deactivate` : t`Activate`}
    >
      <p>{active ? consequence.deactivated : consequence.activated}</p>
    </ConfirmDialog>
  )
}
