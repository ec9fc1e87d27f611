import { useLingui } from '@lingui/react/macro'
import { ConfirmDialog } from '@portal/screens/ConfirmDialog'
import type { AnyForm } from '@portal/screens/useEndpointForm'
import './words.ts'

type Props = {
  /** What is taken out of use, or back into it, as it is stored. */
  of: { name: string; status: 'active' | 'inactive' }
  /** The status that it had when the person asked for the other one. */
  from: 'active' | 'inactive'
  form: AnyForm
  onClose: () => void
  /** What follows from either. */
  consequence: { deactivated: string; activated: string }
}

/** Confirms that something is taken out of use, or back. */
export function SwitchDialog({ of, from, form, onClose, consequence }: Props) {
  const { t } = useLingui()
  // What was asked for stays, whatever has become of it: a second click never does the opposite.
  const active = from === 'active'
  return (
    <ConfirmDialog
      title={active ? t`Deactivate ${of.name}?` : t`Activate ${of.name}?`}
      form={form}
      onClose={onClose}
      danger={active}
      barred={of.status === from ? undefined : t`Somebody else has done it already.`}
      confirmLabel={active ? t`Deactivate` : t`Activate`}
    >
      <p>{active ? consequence.deactivated : consequence.activated}</p>
    </ConfirmDialog>
  )
}
