import { useLingui } from '@lingui/react/macro'
import { transfers } from '@portal/contracts/transfers'
import { currencyName } from '@portal/i18n/format'
import { FormDialog } from '@portal/screens/FormDialog'
import { useEndpointForm } from '@portal/screens/useEndpointForm'
import { NumberField } from '@portal/ui/NumberField'
import { TextAreaField, TextField } from '@portal/ui/TextField'
import './words.ts'

/** How much, how often and with what fees a cohort is paid. */
export function CreateParameterDialog({ onClose }: { onClose: () => void }) {
  const { t } = useLingui()
  const form = useEndpointForm(transfers.createParameter, {
    defaults: { currency: 'XOF' },
    refetches: [transfers.parameters, transfers.settings],
    draft: true,
    onDone: onClose,
  })
  const { control } = form
  return (
    <FormDialog
      title={t`Create transfer parameter`}
      form={form}
      onClose={onClose}
      submitLabel={t`Create parameter`}
    >
      <TextField control={control} name="name" label={t`Name`} required maxLength={255} />
      <TextAreaField control={control} name="description" label={t`Description`} required maxLength={1000} />
      <NumberField
        control={control}
        name="amount"
        label={t`Amount`}
        help={t`Whole francs for each recipient and round. A target list may give another amount per row.`}
        suffix={currencyName()}
        whole
        required
      />
      <NumberField
        control={control}
        name="commission"
        label={t`Commission`}
        help={t`Percent of each payment, from 0 to 100, with at most two decimals.`}
        suffix="%"
        required
      />
      <NumberField
        control={control}
        name="frequency"
        label={t`Frequency`}
        help={t`How many times a month money is disbursed, from 1 to 31.`}
        whole
        required
      />
      <TextField control={control} name="currency" label={t`Currency`} required maxLength={3} />
    </FormDialog>
  )
}
