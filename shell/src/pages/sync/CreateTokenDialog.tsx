import { Trans, useLingui } from '@lingui/react/macro'
import { messages } from '@portal/contracts/attendance/messages'
import { FormDialog } from '@portal/screens/FormDialog'
import { useEndpointForm } from '@portal/screens/useEndpointForm'
import { TextField } from '@portal/ui/TextField'

type Props = { onCreated: (made: { name: string; token: string }) => void; onClose: () => void }

/** A token for one more device. */
export function CreateTokenDialog({ onCreated, onClose }: Props) {
  const { t } = useLingui()
  const form = useEndpointForm(messages.createToken, {
    defaults: { name: '' },
    refetches: [messages.tokens],
    quiet: true,
    onDone: ({ token }) => {
      onCreated({ name: form.fields.getValues('name'), token })
      onClose()
    },
  })
  return (
    <FormDialog
      title={t`Add device`}
      description={t`It gets a token, which is shown once.`}
      form={form}
      onClose={onClose}
      submitLabel={<Trans>Make its token</Trans>}
    >
      <TextField
        control={form.control}
        name="name"
        label={t`Name of the device`}
        help={t`Who or what sends: “RapidPro Sikasso”, “Kobo attendance form”.`}
        required
        autoComplete="off"
        maxLength={200}
      />
    </FormDialog>
  )
}
