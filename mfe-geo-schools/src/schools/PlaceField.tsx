import { useLingui } from '@lingui/react/macro'
import { queryOf } from '@portal/client/query'
import { geography, type Location } from '@portal/contracts/geography'
import type { Named } from '@portal/contracts/register-fields'
import { keepPreviousData, useHost, useQuery } from '@portal/sdk'
import { type FieldProps, useField } from '@portal/ui/Field'
import { FieldFrame } from '@portal/ui/FieldFrame'
import { useDeferredValue, useId, useState } from 'react'
import type { FieldValues } from 'react-hook-form'

type Props<Values extends FieldValues> = Pick<FieldProps<Values>, 'control' | 'name' | 'label'> & {
  /** Arrondissements whose names are known, the stored one above all. */
  known: readonly Named[]
  onChoose: (place: Named) => void
}

const labelOf = ({ name, commune }: Location) =>
  `${name} (${commune.name}, ${commune.cercle.name}, ${commune.cercle.region.name})`

/** An arrondissement, found by typing its name; the form holds its id, or null. */
export function PlaceField<Values extends FieldValues>({
  control,
  name,
  label,
  known,
  onChoose,
}: Props<Values>) {
  const { t } = useLingui()
  const { client } = useHost()
  const id = useId()
  const { value, onChange, error, ...field } = useField({ control, name, label })
  const [typed, setTyped] = useState<{ text: string; beside: unknown } | null>(null)
  // What was typed counts only beside the value it was typed for: the form may be given another one.
  const shown =
    typed && typed.beside === (value ?? null)
      ? typed.text
      : (known.find((place) => place.id === value)?.name ?? '')
  const search = useDeferredValue(shown.replace(/ \(.*$/, '').trim())
  const { data } = useQuery({
    ...queryOf(client, geography.places, { query: { search } }),
    placeholderData: keepPreviousData,
  })
  const places = data?.places ?? []
  const choose = (text: string) => {
    const found = places.find((place) => labelOf(place) === text)
    const next = found ? found.id : text.trim() === '' ? null : (value ?? null)
    setTyped({ text, beside: next })
    if (found) onChoose(found)
    if (next !== (value ?? null)) onChange(next)
  }
  return (
    <FieldFrame label={label} help={t`Type its name and choose it in the list.`} error={error}>
      {(worn) => (
        <>
          <input
            className="input"
            list={id}
            autoComplete="off"
            {...field}
            {...worn}
            value={shown}
            onChange={(event) => choose(event.target.value)}
            onBlur={() => {
              field.onBlur()
              // Text that is no place of the list is discarded, and the chosen place is shown again.
              const chosen = places.find((place) => place.id === value)
              setTyped(chosen ? { text: labelOf(chosen), beside: value } : null)
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
