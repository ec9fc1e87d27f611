import { Trans, useLingui } from '@lingui/react/macro'
import { type Agency, spokenProtocols } from '@portal/contracts/agencies'
import { transfers } from '@portal/contracts/transfers'
import { FormDialog } from '@portal/screens/FormDialog'
import { useEndpointForm } from '@portal/screens/useEndpointForm'
import { Notice } from '@portal/ui/Notice'
import { TextAreaField, TextField } from '@portal/ui/TextField'
import { OneEyeNotice } from '../OneEyeNotice.tsx'

type Props = { agency: Agency; onClose: () => void }

/** Proposes another address or account; credentials are typed anew, for none that is stored goes to another address. */
export function ProposeAgencyDialog({ agency, onClose }: Props) {
  const { t } = useLingui()
  const form = useEndpointForm(transfers.updateAgency, {
    params: { id: agency.id },
    defaults: { endpoint: agency.endpoint, details: JSON.stringify(agency.details, null, 2) },
    refetches: [transfers.settings],
    onDone: onClose,
  })
  const list = spokenProtocols.join(', ')
  const secrets = agency.secrets.join(', ')
  return (
    <FormDialog
      title={t`Change address or account`}
      description={agency.name}
      form={form}
      onClose={onClose}
      submitLabel={t`Propose the change`}
    >
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
      <TextAreaField
        control={form.control}
        name="details"
        label={t`Details (JSON)`}
        help={
          secrets
            ? t`A JSON object. Write these anew, they are not shown: ${secrets}.`
            : t`A JSON object. Its "protocol" is one of: ${list}. Secrets are encrypted and never shown again.`
        }
        rows={6}
        required
      />
    </FormDialog>
  )
}
