import { useLingui } from '@lingui/react/macro'
import { cases } from '@portal/contracts/cases'
import { DocumentField } from '@portal/screens/DocumentField'
import { FormDialog } from '@portal/screens/FormDialog'
import { useEndpointForm } from '@portal/screens/useEndpointForm'
import { TextField } from '@portal/ui/TextField'

/** Adds a supporting document to a case. */
export function UploadDocumentDialog({ caseId, onClose }: { caseId: number; onClose: () => void }) {
  const { t } = useLingui()
  const form = useEndpointForm(cases.addFile, {
    defaults: { complain_id: caseId },
    refetches: [cases.details, cases.list],
    onDone: onClose,
    problems: 'request',
  })
  return (
    <FormDialog title={t`Upload document`} form={form} onClose={onClose} submitLabel={t`Upload document`}>
      <TextField control={form.control} name="description" label={t`Title`} required maxLength={255} />
      <DocumentField
        control={form.control}
        name="file"
        label={t`Document`}
        help={t`jpg, jpeg, png or pdf, 2 MB at most. Place and device are removed from photos.`}
        required
      />
    </FormDialog>
  )
}
