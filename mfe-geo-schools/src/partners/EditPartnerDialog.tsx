import { useLingui } from '@lingui/react/macro'
import { partnerFields } from '@portal/contracts/registers/partners.fields'
import { type Partner, partners } from '@portal/contracts/registers-partners'
import { Conflict, withoutConflict } from '@portal/screens/Conflict'
import { FormDialog } from '@portal/screens/FormDialog'
import { useEndpointForm } from '@portal/screens/useEndpointForm'
import { useHost } from '@portal/sdk'
import { DateField } from '@portal/ui/DateField'
import { SelectField } from '@portal/ui/SelectField'
import { TextField } from '@portal/ui/TextField'
import type { ReactNode } from 'react'
import { Inputs } from '../Inputs.tsx'
import { useFields } from '../useFields.tsx'

type Props = { partner: Partner; onClose: () => void }

/** What kind of partner an organisation is, and since when. */
export function EditPartnerDialog({ partner, onClose }: Props) {
  const { t } = useLingui()
  const { client } = useHost()
  const { input, line, choice, watched } = useFields(partnerFields)
  const form = useEndpointForm(partners.update, {
    params: { id: partner.id },
    defaults: partner,
    refetches: [partners.list],
    draft: true,
    onDone: onClose,
  })
  const { control } = form
  // In the order of the form. A field that is not here does not compile.
  const inputs: Record<keyof typeof partnerFields, ReactNode> = {
    name: <TextField control={control} {...line('name')} />,
    partner_type: <SelectField control={control} {...choice('partner_type')} />,
    partner_since: <DateField control={control} {...input('partner_since')} />,
  }
  return (
    <FormDialog
      title={t`Edit partner`}
      description={partner.name}
      form={withoutConflict(form)}
      onClose={onClose}
    >
      <Conflict
        form={form}
        read={async () => (await client.call(partners.read, { params: { id: partner.id } })).partner}
        fields={watched({})}
      />
      <Inputs of={inputs} />
    </FormDialog>
  )
}
