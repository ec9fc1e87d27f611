import { useLingui } from '@lingui/react/macro'
import { transfers } from '@portal/contracts/transfers'
import { FormDialog } from '@portal/screens/FormDialog'
import { useEndpointForm } from '@portal/screens/useEndpointForm'
import { NumberField } from '@portal/ui/NumberField'
import { SelectField } from '@portal/ui/SelectField'
import { TextAreaField, TextField } from '@portal/ui/TextField'
import { agencyType, countryName } from '../words.tsx'
import { DetailsFields } from './DetailsFields.tsx'

/** An agency that pays out, with how it is reached. */
export function CreateAgencyDialog({ onClose }: { onClose: () => void }) {
  const { t } = useLingui()
  const form = useEndpointForm(transfers.createAgency, {
    refetches: [transfers.settings],
    onDone: onClose,
    shows: ['details'],
  })
  const { control } = form
  return (
    <FormDialog
      title={t`Create transfer agency`}
      form={form}
      onClose={onClose}
      submitLabel={t`Create agency`}
    >
      <TextField control={control} name="name" label={t`Name`} required maxLength={255} />
      <TextAreaField
        control={control}
        name="description"
        label={t`Description`}
        required
        rows={2}
        maxLength={1000}
      />
      <div className="fields pair">
        <SelectField
          control={control}
          name="type"
          label={t`Type`}
          required
          options={(['mobile_money', 'bank'] as const).map((value) => ({ value, label: agencyType(value) }))}
        />
        <SelectField
          control={control}
          name="country"
          label={t`Country`}
          required
          options={(['ml', 'sn'] as const).map((value) => ({ value, label: countryName(value) }))}
        />
      </div>
      <NumberField
        control={control}
        name="fees"
        label={t`Fees`}
        help={t`The agency’s own tariff in percent. It is compared with what the agency charged.`}
        suffix="%"
        required
      />
      <TextField
        control={control}
        name="endpoint"
        label={t`Endpoint`}
        help={t`The agency’s web address, starting with https://.`}
        inputMode="url"
        spellCheck={false}
        required
      />
      <DetailsFields
        value={String(form.fields.watch('details') ?? '')}
        onChange={(text) => form.fields.setValue('details', text, { shouldDirty: true })}
        error={form.fields.formState.errors.details?.message}
        problem={form.problem}
      />
    </FormDialog>
  )
}
