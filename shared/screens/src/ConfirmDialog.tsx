import { Button } from '@portal/ui/Button'
import { CancelButton, Dialog } from '@portal/ui/Dialog'
import type { ReactNode } from 'react'
import { BusyHint, FormFailure } from './FormDialog.tsx'
import type { AnyForm } from './useEndpointForm.tsx'

type Props = {
  title: ReactNode
  description?: ReactNode
  form: AnyForm
  onClose: () => void
  /** Says the act in figures: "Approve 15,012 payments". */
  confirmLabel: ReactNode
  /** True for an act that deletes or cannot be undone. */
  danger?: boolean
  /** Why it cannot be confirmed now; said beside the button. */
  barred?: ReactNode
  /** The consequence: who, how many, how much, and whether it can be undone. */
  children: ReactNode
}

/** Asks before an act. Only its button confirms, no key does. */
export function ConfirmDialog({
  title,
  description,
  form,
  onClose,
  confirmLabel,
  danger,
  barred,
  children,
}: Props) {
  return (
    <Dialog
      title={title}
      description={description}
      onClose={onClose}
      // Always a form: were it one only at times, its fields would be drawn anew under whoever types in them.
      onSubmit={() => barred || form.submit()}
      submitKeys={false}
      dirty={form.dirty}
      busy={form.busy}
      footer={
        <>
          {barred ? <span className="grow muted">{barred}</span> : <BusyHint form={form} />}
          <CancelButton data-autofocus disabled={form.busy} />
          <Button
            type="submit"
            variant={danger ? 'danger-fill' : 'primary'}
            busy={form.busy}
            disabled={Boolean(barred)}
          >
            {confirmLabel}
          </Button>
        </>
      }
    >
      <FormFailure form={form} />
      {children}
    </Dialog>
  )
}
