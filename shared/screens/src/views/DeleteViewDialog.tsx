import { useLingui } from '@lingui/react/macro'
import { startPage } from '@portal/contracts/access/start-page'
import { type SavedView, savedViews } from '@portal/contracts/saved-views'
import { ConfirmDialog } from '../ConfirmDialog.tsx'
import { useEndpointForm } from '../useEndpointForm.tsx'

/** Deletes a view; the list stays as it is. */
export function DeleteViewDialog({ view, onClose }: { view: SavedView; onClose: () => void }) {
  const { t } = useLingui()
  const form = useEndpointForm(savedViews.remove, {
    params: { id: view.id },
    refetches: [savedViews.list, startPage.read],
    onDone: onClose,
  })
  const { name } = view
  return (
    <ConfirmDialog
      title={t`Delete the view`}
      description={name}
      form={form}
      onClose={onClose}
      danger
      confirmLabel={t`Delete ${name}`}
    >
      <p>{t`The list itself stays as it is. If the view is your start page, home opens after your next sign-in.`}</p>
    </ConfirmDialog>
  )
}
