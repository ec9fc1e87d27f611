import { useLingui } from '@lingui/react/macro'
import { queryOf } from '@portal/client/query'
import { geography, type Location } from '@portal/contracts/registers/geography'
import type { Named } from '@portal/contracts/registers/register-fields'
import { keepPreviousData, useHost, useQuery } from '@portal/sdk'
import { Combobox } from '@portal/ui/Combobox'
import { type FieldProps, useField } from '@portal/ui/Field'
import { FieldFrame } from '@portal/ui/FieldFrame'
import { useState } from 'react'
import type { FieldValues } from 'react-hook-form'

type Props<Values extends FieldValues> = Pick<FieldProps<Values>, 'control' | 'name' | 'label'> & {
  /** Arrondissements whose names are known already, such as the stored one. */
  known: readonly Named[]
  onChoose: (place: Named) => void
}

/** The most places of the list, so that it need not scroll. */
const placesAtMost = 8

const labelOf = ({ name, commune }: Location) =>
  `${name} (${commune.name}, ${commune.cercle.name}, ${commune.cercle.region.name})`

/** An arrondissement, found by words of its name and of what it lies in; the form holds its id, or null. */
export function PlaceField<Values extends FieldValues>({
  control,
  name,
  label,
  known,
  onChoose,
}: Props<Values>) {
  const { t } = useLingui()
  const { client } = useHost()
  const { value, onChange, error, ...field } = useField({ control, name, label })
  const [asked, setAsked] = useState<string | null>(null)
  const [picked, setPicked] = useState<Location | null>(null)
  const { data, isPlaceholderData } = useQuery({
    ...queryOf(client, geography.places, { query: { search: asked ?? '' } }),
    enabled: asked !== null,
    placeholderData: keepPreviousData,
  })
  const places = asked === null ? [] : (data?.places ?? []).slice(0, placesAtMost)
  return (
    <FieldFrame label={label} help={t`Type its name and choose it in the list.`} error={error}>
      {(worn) => (
        <Combobox
          chosen={picked?.id === value ? labelOf(picked) : (known.find(({ id }) => id === value)?.name ?? '')}
          onAsk={setAsked}
          choices={places.map((place) => ({ ...place, label: labelOf(place) }))}
          busy={isPlaceholderData}
          found={t`Places found`}
          input={{ ...field, ...worn }}
          onEmpty={() => onChange(null)}
          onChoose={(place) => {
            setPicked(place)
            onChoose(place)
            if (place.id !== value) onChange(place.id)
          }}
        />
      )}
    </FieldFrame>
  )
}
