import { useLingui } from '@lingui/react/macro'
import { transfers } from '@portal/contracts/transfers'
import { useEndpointForm } from '@portal/screens/useEndpointForm'
import { DateField } from '@portal/ui/DateField'
import { FileField } from '@portal/ui/FileField'
import { NumberField } from '@portal/ui/NumberField'
import { SelectField } from '@portal/ui/SelectField'
import { TextAreaField, TextField } from '@portal/ui/TextField'
import { useEffect } from 'react'
import { Shelf, Specimen } from './Specimen.tsx'

/** Form fields with the schemas of real calls. Nothing is sent. */
export function Forms() {
  const { t } = useLingui()
  const { control } = useEndpointForm(transfers.importCohort, { refetches: [] })
  const wrong = useEndpointForm(transfers.createParameter, {
    refetches: [],
    defaults: { amount: -1, currency: 'XOF' },
  })
  const { trigger } = wrong.fields
  useEffect(() => void trigger(['name', 'amount']), [trigger])
  return (
    <Shelf title={t`Fields`}>
      <Specimen
        title={t`One line, with help`}
        code='<TextField control={form.control} name="name" label={…} help={…} required />'
      >
        <TextField
          control={control}
          name="name"
          label={t`Cohort name`}
          help={t`As people will look for it.`}
          required
        />
      </Specimen>
      <Specimen title={t`With its error`} code="useEndpointForm(transfers.createParameter, …)">
        <TextField control={wrong.control} name="name" label={t`Name`} required />
      </Specimen>
      <Specimen
        title={t`A number, with its error`}
        code='<NumberField control={form.control} name="amount" suffix="XOF" whole />'
      >
        <NumberField control={wrong.control} name="amount" label={t`Amount`} suffix="XOF" whole required />
      </Specimen>
      <Specimen title={t`Not to be changed`} code="<TextField … disabled />">
        <TextField control={wrong.control} name="currency" label={t`Currency`} disabled />
      </Specimen>
      <Specimen title={t`Several lines`} code="<TextAreaField … rows={2} />">
        <TextAreaField control={control} name="description" label={t`Description`} rows={2} />
      </Specimen>
      <Specimen title={t`A choice`} code="<SelectField … options={[{ value: 1, label: … }]} />">
        <SelectField
          control={control}
          name="transfer_agency_id"
          label={t`Transfer agency`}
          options={[{ value: 1, label: 'Sahel Mobile Money' }]}
        />
      </Specimen>
      <Specimen title={t`A day`} code='<DateField … name="from" />'>
        <DateField control={control} name="from" label={t`Start date`} />
      </Specimen>
      <Specimen title={t`A file`} code='<FileField … accept=".xlsx,.xls" />'>
        <FileField control={control} name="target_list_file" label={t`Target list`} accept=".xlsx,.xls" />
      </Specimen>
    </Shelf>
  )
}
