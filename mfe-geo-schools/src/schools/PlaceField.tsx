import { useLingui } from '@lingui/react/macro'
import { queryOf } from '@portal/client/query'
import { geography, type Location } from '@portal/contracts/geography'
import { keepPreviousData, useHost, useQuery } from '@portal/sdk'
import { type FieldProps, useField } from '@portal/ui/Field'
import { FieldFrame } from '@portal/ui/FieldFrame'
import { useDeferredValue, useId, useState } from 'react'
import type { FieldValues } from 'react-hook-form'

type Props<Values extends FieldValues> = Pick<FieldProps<Values>, 'control' | 'name'> & {
  /** The arrondissement stored now. */
  current: { id: number; name: string } | null
}

const labelOf = ({ name, commune }: Location) =>
  `${name} (${commune.name}, ${commune.cercle.name}, ${commune.cercle.region.name})`

/** An arrondissement, found by typing its name; the form holds its id, or null. */
export function PlaceField<Values extends FieldValues>({ control, name, current }: Props<Values>) {
  const { t } = useLingui()
  const { client } = useHost()
  const id = useId()
  const { value, onChange, error, ...field } = useField({ control, name, label: '' })
  const [typed, setTyped] = useState(current?.name ?? '')
  const search = useDeferredValue(typed.replace(/ \(.*$/, '').trim())
  const { data } = useQuery({
    ...queryOf(client, geography.places, { query: { search } }),
    placeholderData: keepPreviousData,
  })
  const places = data?.places ?? []
  const choose = (text: string) => {
    setTyped(text)
    const found = places.find((place) => labelOf(place) === text)
    if (found) onChange(found.id)
    else if (text.trim() === '') onChange(null)
  }
  return (
    <FieldFrame label={t`Arrondissement`} help={t`Type its name and choose it in the list.`} error={error}>
      {(worn) => (
        <>
          <input
            className="input"
            list={id}
            autoComplete="off"
            {...field}
            {...worn}
            value={typed}
            onChange={(event) => choose(event.target.value)}
            onBlur={() => {
              field.onBlur()
              // What is no place of the list counts for nothing: the one that is stored is shown again.
              const chosen = places.find((place) => place.id === value)
              if (value)
                setTyped(chosen ? labelOf(chosen) : value === current?.id ? (current?.name ?? '') : typed)
            }}
          />
          <datalist id={id}>
            {places.map((place) => (
              <option key={place.id} value={labelOf(place)} />
            ))}
          </datalist>
        </>
      )}
    </FieldFrame>
  )
}
