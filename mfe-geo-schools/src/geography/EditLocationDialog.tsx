import { Trans, useLingui } from '@lingui/react/macro'
import { schools } from '@portal/contracts/registers'
import { geography, type Location } from '@portal/contracts/registers/geography'
import { Conflict, withoutConflict } from '@portal/screens/Conflict'
import { BusyHint, FormFailure } from '@portal/screens/FormDialog'
import { useEndpointForm } from '@portal/screens/useEndpointForm'
import { useHost } from '@portal/sdk'
import { Button } from '@portal/ui/Button'
import { CancelButton, Dialog } from '@portal/ui/Dialog'
import { TextField } from '@portal/ui/TextField'

type Props = { location: Location; onClose: () => void }

/** A location as the form has it: four names. */
const flat = ({ id, name, commune, version }: Location) => ({
  id,
  arrondissement: name,
  commune: commune.name,
  cercle: commune.cercle.name,
  region: commune.cercle.region.name,
  version,
})

/** The names of a location. Save is there as soon as all four stand there and one is another (Registers 2.2). */
export function EditLocationDialog({ location, onClose }: Props) {
  const { t } = useLingui()
  const { client } = useHost()
  const before = flat(location)
  const form = useEndpointForm(geography.updateLocation, {
    params: { id: location.id },
    defaults: before,
    refetches: [geography.locations, geography.options, schools.list],
    onDone: onClose,
  })
  const { control, fields } = form
  const names = ['region', 'cercle', 'commune', 'arrondissement'] as const
  const typed = fields.watch([...names])
  const valid = typed.every((name) => typeof name === 'string' && name.trim() !== '')
  const shown = withoutConflict(form)
  const labels = {
    region: t`Region`,
    cercle: t`Cercle`,
    commune: t`Commune`,
    arrondissement: t`Arrondissement`,
  }
  const read = async () =>
    flat((await client.call(geography.readLocation, { params: { id: location.id } })).location)
  return (
    <Dialog
      title={t`Edit location`}
      description={`${location.name}, ${location.commune.name}`}
      onClose={onClose}
      onSubmit={valid && form.dirty ? form.submit : () => undefined}
      dirty={form.dirty}
      busy={form.busy}
      footer={
        <>
          <BusyHint form={form} />
          <CancelButton disabled={form.busy} />
          <Button type="submit" variant="primary" busy={form.busy} disabled={!valid || !form.dirty}>
            <Trans>Save</Trans>
          </Button>
        </>
      }
    >
      <FormFailure form={shown} />
      <Conflict
        form={form}
        read={read}
        fields={{
          region: { label: labels.region },
          cercle: { label: labels.cercle },
          commune: { label: labels.commune },
          arrondissement: { label: labels.arrondissement },
          // Another word for the arrondissement, which only the call understands.
          name: null,
        }}
      />
      {names.map((name) => (
        <TextField key={name} control={control} name={name} label={labels[name]} required maxLength={255} />
      ))}
    </Dialog>
  )
}
