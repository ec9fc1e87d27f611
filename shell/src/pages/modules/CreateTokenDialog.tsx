import { Trans, useLingui } from '@lingui/react/macro'
import { moduleTokens } from '@portal/contracts/module-tokens'
import { FormDialog } from '@portal/screens/FormDialog'
import { useEndpointForm } from '@portal/screens/useEndpointForm'
import { NumberField } from '@portal/ui/NumberField'
import { ChecksField } from '@portal/ui/SelectField'
import { TextField } from '@portal/ui/TextField'

/** A collection with its name in the person's language. */
export type Named = { name: string; title: string }

type Props = {
  module: string
  collections: readonly Named[]
  onCreated: (made: { name: string; token: string }) => void
  onClose: () => void
}

/** A token for one more server of a module's team. */
export function CreateTokenDialog({ module, collections, onCreated, onClose }: Props) {
  const { t } = useLingui()
  const form = useEndpointForm(moduleTokens.create, {
    params: { module },
    defaults: { name: '', read: [], write: [], days: 90 },
    refetches: [moduleTokens.list],
    quiet: true,
    onDone: ({ token }) => {
      onCreated({ name: form.fields.getValues('name'), token })
      onClose()
    },
  })
  const options = collections.map(({ name, title }) => ({ value: name, label: title }))
  return (
    <FormDialog
      title={t`Make a token`}
      description={t`It is shown once. Whoever has it acts as this server, until it ends or is revoked.`}
      form={form}
      onClose={onClose}
      submitLabel={<Trans>Make the token</Trans>}
    >
      <TextField
        control={form.control}
        name="name"
        label={t`Name of the server`}
        help={t`It stands in the audit log, and in lists in the place of a person: “Nightly copy”.`}
        required
        autoComplete="off"
        maxLength={200}
      />
      <ChecksField control={form.control} name="read" label={t`It may read`} options={options} />
      <ChecksField control={form.control} name="write" label={t`It may read and write`} options={options} />
      <NumberField
        control={form.control}
        name="days"
        label={t`It ends after`}
        help={t`At most 366 days.`}
        suffix={t`days`}
        required
        whole
      />
    </FormDialog>
  )
}
