import { wordsWithin } from '@portal/contracts/search-words'
import { Icon } from '@portal/ui/Icon'
import { Fragment } from 'react'
import type { Found } from './search-sources.ts'

type Props = {
  id: string
  title: string
  items: Found[]
  /** Place of its first line among all. */
  from: number
  /** Place of the line that Enter opens. */
  here: number
  typed: string
  onPick: (item: Found) => void
}

/** What one list has found. The field keeps the focus; the chosen line is named to readers. */
export function FoundGroup({ id, title, items, from, here, typed, onPick }: Props) {
  return (
    // biome-ignore lint/a11y/useSemanticElements: a list of choices has no fieldset inside
    <div role="group" aria-labelledby={`${id}-${from}-title`}>
      <div className="found-title" id={`${id}-${from}-title`}>
        {title}
      </div>
      {items.map((item, place) => (
        // biome-ignore lint/a11y/useKeyWithClickEvents lint/a11y/useFocusableInteractive: keys are the field's, which has the focus
        <div
          key={item.href}
          id={`${id}-${from + place}`}
          role="option"
          aria-selected={from + place === here}
          onClick={() => onPick(item)}
        >
          <Icon name={item.icon} />
          <span className="name">
            <Marked text={item.label} typed={typed} />
          </span>
          {item.note && <small>{item.note}</small>}
        </div>
      ))}
    </div>
  )
}

/** A text with the words that were typed made strong. */
function Marked({ text, typed }: { text: string; typed: string }) {
  const letters = [...text]
  const places = wordsWithin(text, typed)
  const between = (from: number, to?: number) => letters.slice(from, to).join('')
  return (
    <>
      {places.map(([from, to], place) => (
        <Fragment key={from}>
          {between(places[place - 1]?.[1] ?? 0, from)}
          <mark>{between(from, to)}</mark>
        </Fragment>
      ))}
      {between(places.at(-1)?.[1] ?? 0)}
    </>
  )
}
