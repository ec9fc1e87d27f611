import { useLingui } from '@lingui/react/macro'
import { queryOf } from '@portal/client/query'
import { transfers } from '@portal/contracts/transfers'
import { targetSelection } from '@portal/contracts/transfers/target-selection'
import { FormDialog } from '@portal/screens/FormDialog'
import { problemText } from '@portal/screens/problemText'
import { useEndpointForm } from '@portal/screens/useEndpointForm'
import { useHost, useQuery } from '@portal/sdk'
import { DateField } from '@portal/ui/DateField'
import { Notice } from '@portal/ui/Notice'
import { SelectField } from '@portal/ui/SelectField'
import { TextAreaField, TextField } from '@portal/ui/TextField'
import { RoundsPreview } from '../dialogs/RoundsPreview.tsx'
import { paths } from '../paths.ts'
import { touchedByImport } from '../touched-by-import.ts'
import { useActiveParameters } from '../useActiveParameters.tsx'
import '../dialogs/words.ts'

type Props = {
  /** The selection as the address has it. */
  selection: Record<string, string>
  parameter: number | null
  onClose: () => void
}

/** Makes a cohort of the selection: the form of an upload without a file. Its rows are then reviewed like those of a file. */
export function MakeCohortDialog({ selection, parameter, onClose }: Props) {
  const { t } = useLingui()
  const { client, navigate } = useHost()
  const settings = useQuery(queryOf(client, transfers.settings))
  const parameters = useActiveParameters()
  const form = useEndpointForm(targetSelection.makeCohort, {
    defaults: { ...selection, transfer_parameter_id: parameter },
    refetches: touchedByImport,
    query: () => ({ review: 1 }),
    onDone: ({ import: { id } }) => {
      onClose()
      navigate(paths.openImport(id))
    },
  })
  const { control, fields } = form
  const failed = settings.error ?? parameters.error
  const chosen = Number(fields.watch('transfer_parameter_id'))
  const agencies = (settings.data?.agencies ?? []).filter(
    ({ status, country }) => status === 'active' && country === selection.country,
  )
  return (
    <FormDialog
      title={t`Make a cohort of the selection`}
      description={t`The portal writes the target list and shows you its rows. The cohort is made when you confirm them, and somebody else approves it.`}
      form={form}
      onClose={onClose}
      submitLabel={t`Make cohort`}
      wide
    >
      {failed && (
        <Notice tone="bad" alert>
          {problemText(failed)}
        </Notice>
      )}
      <TextField control={control} name="name" label={t`Cohort name`} required maxLength={255} />
      <TextAreaField
        control={control}
        name="description"
        label={t`Description`}
        required
        rows={2}
        maxLength={1000}
      />
      <div className="fields pair">
        <DateField control={control} name="from" label={t`Start date`} required />
        <DateField control={control} name="to" label={t`End date`} required />
        <SelectField
          control={control}
          name="transfer_agency_id"
          label={t`Transfer agency`}
          help={t`Agencies of the country of the selection`}
          required
          options={agencies.map(({ id, name }) => ({ value: id, label: name }))}
        />
        <SelectField
          control={control}
          name="transfer_parameter_id"
          label={t`Transfer parameter`}
          required
          options={(parameters.data ?? []).map(({ id, name }) => ({ value: id, label: name }))}
        />
      </div>
      <RoundsPreview
        from={fields.watch('from')}
        to={fields.watch('to')}
        parameter={parameters.data?.find(({ id }) => id === chosen)}
      />
    </FormDialog>
  )
}
