import { Trans, useLingui } from '@lingui/react/macro'
import { moduleSandboxes } from '@portal/contracts/module-records'
import { ConfirmDialog } from '@portal/screens/ConfirmDialog'
import { useEndpointForm } from '@portal/screens/useEndpointForm'
import { useQueryClient } from '@portal/sdk'

/** Deletes the records that a developer has tried her module with. */
export function EmptySandboxDialog({ module, onClose }: { module: string; onClose: () => void }) {
  const { t } = useLingui()
  const queries = useQueryClient()
  const form = useEndpointForm(moduleSandboxes.empty, {
    params: { module },
    defaults: {},
    refetches: [],
    onDone: () => {
      // The pages of the module have their own calls for its records.
      void queries.invalidateQueries()
      onClose()
    },
  })
  return (
    <ConfirmDialog
      title={t`Empty the sandbox`}
      description={module}
      form={form}
      onClose={onClose}
      danger
      confirmLabel={t`Empty the sandbox`}
    >
      <p>
        <Trans>
          Every record of this module in your sandbox is deleted. Live records, and the sandboxes of others,
          stay.
        </Trans>
      </p>
    </ConfirmDialog>
  )
}
