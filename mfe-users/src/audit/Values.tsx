import { Plural, Trans } from '@lingui/react/macro'
import { Nothing } from '@portal/ui/Money'
import { type Difference, fieldName, valueText, type Words } from './values.ts'

const shown = 3

type Props = { of: readonly Difference[]; side: 'old' | 'new'; words: Words }

/** One side of a difference, a line per field, in the same order on both sides. */
export function Values({ of, side, words }: Props) {
  const known = of.filter((each) => each[side] !== undefined)
  if (known.length === 0) return <Nothing />
  const more = known.length - shown
  return (
    <span className="lines">
      {known.slice(0, shown).map(({ field, [side]: value }) => (
        <Value key={field} name={fieldName(field, words)} text={shortened(valueText(value, field, words))} />
      ))}
      {more > 0 && (
        <span className="muted">
          <Plural value={more} one="and # more" other="and # more" />
        </span>
      )}
    </span>
  )
}

const Value = ({ name, text }: { name: string; text: string }) => (
  <span>
    <Trans>
      <span className="muted">{name}:</span> {text}
    </Trans>
  </span>
)

const shortened = (text: string) => (text.length > 60 ? `${text.slice(0, 59)}…` : text)
