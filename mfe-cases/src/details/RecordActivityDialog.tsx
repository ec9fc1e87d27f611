import { useLingui } from '@lingui/react/macro'
import { cases } from '@portal/contracts/cases'
import { FormDialog } from '@portal/screens/FormDialog'
import { useEndpointForm } from '@portal/screens/useEndpointForm'
import { SelectField } from '@portal/ui/SelectField'
import { TextAreaField } from '@portal/ui/TextField'

type Props = { caseId: number; channels: { id: number; name: string }[]; onClose: () => void }

/** Notes what was done about the case, and how. */
export function RecordActivityDialog({ caseId, channels, onClose }: Props) {
  const { t } = useLingui()
  const form = useEndpointForm(cases.addActivity, {
    defaults: { complain_id: caseId },
    refetches: [cases.details, cases.list],
    draft: caseId,
    onDone: onClose,
    problems: 'request',
  })
  return (
    <FormDialog title={t`Record activity`} form={form} onClose={onClose} submitLabel={t`Record activity`}>
      <SelectField
        control={form.control}
        name="channel_id"
        label={t`Channel`}
        required
        options={channels.map(({ id, name }) => ({ value: id, label: name }))}
      />
      <TextAreaField control={form.control} name="note" label={t`Note`} required rows={4} maxLength={5000} />
    </FormDialog>
  )
}
