import { useLingui } from '@lingui/react/macro'
import { CancelButton, Dialog } from '@portal/ui/Dialog'

/** A dialog that stands in a file of its own. */
export function LateDialog({ onClose }: { onClose: () => void }) {
  const { t } = useLingui()
  return (
    <Dialog title={t`Fetch and open`} onClose={onClose} footer={<CancelButton />}>
      {t`This file came when the dialog was opened.`}
    </Dialog>
  )
}
