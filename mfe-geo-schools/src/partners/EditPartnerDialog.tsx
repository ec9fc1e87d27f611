import { useLingui } from '@lingui/react/macro'
import { type Partner, partners } from '@portal/contracts/registers-partners'
import { formatDate } from '@portal/i18n/format'
import { Conflict, withoutConflict } from '@portal/screens/Conflict'
import { FormDialog } from '@portal/screens/FormDialog'
import { useEndpointForm } from '@portal/screens/useEndpointForm'
import { useHost } from '@portal/sdk'
import { DateField } from '@portal/ui/DateField'
import { SelectField } from '@portal/ui/SelectField'
import { TextField } from '@portal/ui/TextField'
import { choices, nameOf, useOptions } from '../useOptions.tsx'

type Props = { partner: Partner; onClose: () => void }

/** What kind of partner an organisation is, and since when. */
export function EditPartnerDialog({ partner, onClose }: Props) {
  const { t } = useLingui()
  const { client } = useHost()
  const { partner_types } = useOptions()
  const form = useEndpointForm(partners.update, {
    params: { id: partner.id },
    defaults: partner,
    refetches: [partners.list],
    onDone: onClose,
  })
  const { control } = form
  return (
    <FormDialog
      title={t`Edit partner`}
      description={partner.name}
      form={withoutConflict(form)}
      onClose={onClose}
    >
      <Conflict
        form={form}
        before={partner}
        read={async () => (await client.call(partners.read, { params: { id: partner.id } })).partner}
        fields={{
          name: { label: t`Organisation name` },
          partner_type: { label: t`Type`, text: (code) => nameOf(partner_types, String(code), '') },
          partner_since: { label: t`Partner since`, text: (day) => formatDate(String(day)) },
        }}
      />
      <TextField control={control} name="name" label={t`Organisation name`} maxLength={255} />
      <SelectField
        control={control}
        name="partner_type"
        label={t`Type`}
        required
        options={choices(partner_types)}
      />
      <DateField control={control} name="partner_since" label={t`Partner since`} required />
    </FormDialog>
  )
}
