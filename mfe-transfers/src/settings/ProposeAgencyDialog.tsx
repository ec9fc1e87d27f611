import { Trans, useLingui } from '@lingui/react/macro'
import { transfers } from '@portal/contracts/transfers'
import type { Agency } from '@portal/contracts/transfers/agencies'
import { Conflict, withoutConflict } from '@portal/screens/Conflict'
import { FormDialog } from '@portal/screens/FormDialog'
import { useEndpointForm } from '@portal/screens/useEndpointForm'
import { useHost } from '@portal/sdk'
import { Notice } from '@portal/ui/Notice'
import { TextField } from '@portal/ui/TextField'
import { OneEyeNotice } from '../OneEyeNotice.tsx'
import { DetailsFields } from './DetailsFields.tsx'

type Props = { agency: Agency; onClose: () => void }

/** An agency as the form has it. */
const flat = ({ endpoint, details, version }: Agency) => ({
  endpoint,
  details: JSON.stringify(details),
  version,
})

/** Proposes another address or account; credentials are typed anew, so that no stored one reaches another address. */
export function ProposeAgencyDialog({ agency, onClose }: Props) {
  const { t } = useLingui()
  const { client } = useHost()
  const before = flat(agency)
  const form = useEndpointForm(transfers.updateAgency, {
    params: { id: agency.id },
    defaults: before,
    refetches: [transfers.settings],
    onDone: onClose,
    shows: ['details'],
  })
  const read = async () => {
    const { agencies } = await client.call(transfers.settings, {})
    const now = agencies.find(({ id }) => id === agency.id)
    if (!now) throw new Error('The agency is gone.')
    return flat(now)
  }
  return (
    <FormDialog
      title={t`Change address or account`}
      description={agency.name}
      form={withoutConflict(form)}
      onClose={onClose}
      submitLabel={t`Propose the change`}
    >
      <Conflict
        form={form}
        read={read}
        fields={{
          endpoint: { label: t`Endpoint` },
          details: { label: t`Protocol and account` },
          status: null,
        }}
      />
      <OneEyeNotice />
      <Notice icon="shield" title={t`A change by two people.`}>
        <Trans>
          Nothing changes before another person has confirmed it. Whoever proposes it no longer approves lists
          of this agency.
        </Trans>
      </Notice>
      <TextField
        control={form.control}
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
        secrets={agency.secrets}
      />
    </FormDialog>
  )
}
