import { useLingui } from '@lingui/react/macro'
import { FormDialog } from '@portal/screens/FormDialog'
import { useEndpointForm } from '@portal/screens/useEndpointForm'
import { TextAreaField, TextField } from '@portal/ui/TextField'
import { notes } from '../notes.ts'

/** Adds a note. */
export function AddNoteDialog({ onClose }: { onClose: () => void }) {
  const { t } = useLingui()
  const form = useEndpointForm(notes.create, {
    defaults: { data: { title: '', text: '' } },
    refetches: [notes.list],
    onDone: onClose,
  })
  return (
    <FormDialog title={t`Add note`} form={form} onClose={onClose}>
      <TextField control={form.control} name="data.title" label={t`Title`} required />
      <TextAreaField control={form.control} name="data.text" label={t`Text`} required />
    </FormDialog>
  )
}
