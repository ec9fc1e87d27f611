import { Trans, useLingui } from '@lingui/react/macro'
import { type Import, imports } from '@portal/contracts/imports'
import { ConfirmDialog } from '@portal/screens/ConfirmDialog'
import { useEndpointForm } from '@portal/screens/useEndpointForm'

type Props = { found: Import; onClose: () => void; onCancelled: () => void }

/** Asks before an import is given up; what was corrected in it goes with it. */
export function CancelDialog({ found, onClose, onCancelled }: Props) {
  const { t } = useLingui()
  const form = useEndpointForm(imports.cancel, {
    params: { id: found.id },
    refetches: [imports.list],
    onDone: () => {
      onClose()
      onCancelled()
    },
  })
  return (
    <ConfirmDialog
      title={t`Cancel this import?`}
      description={found.file_name}
      form={form}
      onClose={onClose}
      danger
      confirmLabel={t`Cancel the import`}
    >
      <p>
        <Trans>
          Nothing of this file is saved, and what you corrected here is lost. The file itself stays in the
          list of earlier imports; you can upload it again.
        </Trans>
      </p>
    </ConfirmDialog>
  )
}
