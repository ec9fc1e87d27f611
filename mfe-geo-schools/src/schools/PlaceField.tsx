import { useLingui } from '@lingui/react/macro'
import { queryOf } from '@portal/client/query'
import { geography, type Location } from '@portal/contracts/geography'
import type { Named } from '@portal/contracts/register-fields'
import { keepPreviousData, useHost, useQuery } from '@portal/sdk'
import { type FieldProps, useField } from '@portal/ui/Field'
import { FieldFrame } from '@portal/ui/FieldFrame'
import { type KeyboardEvent, useDeferredValue, useId, useState } from 'react'
import type { FieldValues } from 'react-hook-form'

type Props<Values extends FieldValues> = Pick<FieldProps<Values>, 'control' | 'name' | 'label'> & {
  /** Arrondissements whose names are known, the stored one above all. */
  known: readonly Named[]
  onChoose: (place: Named) => void
}

/** So many are shown without a list that scrolls. */
const placesAtMost = 8

const labelOf = ({ name, commune }: Location) =>
  `${name} (${commune.name}, ${commune.cercle.name}, ${commune.cercle.region.name})`

/**
 * An arrondissement, found by words of its name and of what it lies in; the form holds its id, or null. The list is our own:
 * a browser's offers only what contains the very letters that were typed.
 */
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
  const [open, setOpen] = useState(false)
  const [at, setAt] = useState(0)
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
  const found = open ? places.slice(0, placesAtMost) : []
  const here = Math.min(at, found.length - 1)
  const type = (text: string) => {
    const next = text.trim() === '' ? null : (value ?? null)
    setAt(0)
    setOpen(text.trim() !== '')
    setTyped({ text, beside: next })
    if (next !== (value ?? null)) onChange(next)
  }
  const choose = (place: Location) => {
    setOpen(false)
    setTyped({ text: labelOf(place), beside: place.id })
    onChoose(place)
    if (place.id !== value) onChange(place.id)
  }
  const keys = (event: KeyboardEvent) => {
    const step = { ArrowDown: 1, ArrowUp: -1 }[event.key]
    const place = found[here]
    if (!place || (!step && event.key !== 'Enter')) return
    event.preventDefault()
    if (step) setAt((here + step + found.length) % found.length)
    else choose(place)
  }
  return (
    <FieldFrame label={label} help={t`Type its name and choose it in the list.`} error={error}>
      {(worn) => (
        <>
          <input
            className="input"
            role="combobox"
            aria-expanded={found.length > 0}
            aria-controls={`${id}-list`}
            aria-autocomplete="list"
            aria-activedescendant={found.length > 0 ? `${id}-${here}` : undefined}
            autoComplete="off"
            {...field}
            {...worn}
            value={shown}
            onChange={(event) => type(event.target.value)}
            onKeyDown={keys}
            onBlur={() => {
              field.onBlur()
              setOpen(false)
              // Text that is no place of the list is discarded, and the chosen place is shown again.
              const chosen = places.find((place) => place.id === value)
              setTyped(chosen ? { text: labelOf(chosen), beside: value } : null)
            }}
          />
          {found.length > 0 && (
            <div id={`${id}-list`} role="listbox" aria-label={t`Places found`} className="choices">
              {found.map((place, n) => (
                // biome-ignore lint/a11y/useKeyWithClickEvents lint/a11y/useFocusableInteractive: keys are the field's, which has the focus
                <div
                  key={place.id}
                  id={`${id}-${n}`}
                  role="option"
                  aria-selected={n === here}
                  // The field keeps the focus, or its blur would close the list before the click.
                  onMouseDown={(event) => event.preventDefault()}
                  onClick={() => choose(place)}
                >
                  {labelOf(place)}
                </div>
              ))}
            </div>
          )}
        </>
      )}
    </FieldFrame>
  )
}
