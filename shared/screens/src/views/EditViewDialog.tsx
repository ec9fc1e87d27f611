import { useLingui } from '@lingui/react/macro'
import { type SavedView, savedViews } from '@portal/contracts/saved-views'
import { useHost } from '@portal/sdk'
import { TextField } from '@portal/ui/TextField'
import { Conflict, withoutConflict } from '../Conflict.tsx'
import { FormDialog } from '../FormDialog.tsx'
import { useEndpointForm } from '../useEndpointForm.tsx'

type Props = { view: SavedView; query: string; onClose: () => void }

/** Renames a view, and puts what the list shows now in its place if asked. */
export function EditViewDialog({ view, query, onClose }: Props) {
  const { t } = useLingui()
  const { client } = useHost()
  const form = useEndpointForm(savedViews.update, {
    params: { id: view.id },
    defaults: view,
    refetches: [savedViews.list],
    onDone: onClose,
  })
  const { setValue, watch } = form.fields
  const read = async () => {
    const { views } = await client.call(savedViews.list, { query: { list: view.list } })
    return views.find(({ id }) => id === view.id) ?? view
  }
  return (
    <FormDialog title={t`Change the view`} form={withoutConflict(form)} onClose={onClose}>
      <Conflict
        form={form}
        read={read}
        fields={{ name: { label: t`Name of the view` }, query: { label: t`Search and filters` } }}
      />
      <TextField control={form.control} name="name" label={t`Name of the view`} required maxLength={60} />
      {query !== view.query && (
        <label className="check">
          <input
            type="checkbox"
            checked={watch('query') === query}
            onChange={(event) =>
              setValue('query', event.target.checked ? query : view.query, { shouldDirty: true })
            }
          />
          <span>{t`Replace it with what the list shows now`}</span>
        </label>
      )}
    </FormDialog>
  )
}
