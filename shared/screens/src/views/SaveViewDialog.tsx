import { useLingui } from '@lingui/react/macro'
import { savedViews } from '@portal/contracts/saved-views'
import { TextField } from '@portal/ui/TextField'
import { FormDialog } from '../FormDialog.tsx'
import { useEndpointForm } from '../useEndpointForm.tsx'

type Props = { list: string; query: string; onClose: () => void }

/** Saves what the list shows under a name. */
export function SaveViewDialog({ list, query, onClose }: Props) {
  const { t } = useLingui()
  const form = useEndpointForm(savedViews.create, {
    defaults: { list, query, name: '' },
    refetches: [savedViews.list],
    onDone: onClose,
  })
  return (
    <FormDialog
      title={t`Save this view`}
      description={t`Search, filters and order of the list as they are now, for you alone.`}
      form={form}
      onClose={onClose}
    >
      <TextField control={form.control} name="name" label={t`Name of the view`} required maxLength={60} />
    </FormDialog>
  )
}
