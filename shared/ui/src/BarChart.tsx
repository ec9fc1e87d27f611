import { type CSSProperties, type ReactNode, useState } from 'react'
import { Button } from './Button.tsx'

/** One bar: what it is, how long it is, and the figure as it is read. */
export type Bar = { key: string; label: ReactNode; value: number; shown: ReactNode; note?: ReactNode }

type Props = {
  /** What is compared, for readers. */
  label: string
  /** In the order they are drawn. */
  bars: readonly Bar[]
  /** More bars than this are folded. */
  fold?: number
  /** "Show all 120 CAPs". */
  more?: (count: number) => ReactNode
  /** "Show fewer". */
  fewer?: ReactNode
  /** A value to read the bars against, such as their mean; its words go below the bars. */
  mark?: { value: number; label: ReactNode }
}

/**
 * Horizontal bars with names and figures beside them, as a list that screen readers can read. Written by hand, because a chart
 * library would weigh more than the page. Needs `chart.css`.
 */
export function BarChart({ label, bars, fold = 12, more, fewer, mark }: Props) {
  const [all, setAll] = useState(false)
  const folds = more !== undefined && bars.length > fold
  const drawn = folds && !all ? bars.slice(0, fold) : bars
  const full = Math.max(1, mark?.value ?? 0, ...bars.map(({ value }) => value))
  const share = (value: number) => ({ '--part': value / full }) as CSSProperties
  return (
    <figure className="bars" aria-label={label}>
      <ol style={mark && ({ '--mark': mark.value / full } as CSSProperties)} className={mark && 'marked'}>
        {drawn.map((bar) => (
          <li key={bar.key}>
            <span className="name">{bar.label}</span>
            <span className="lane" aria-hidden="true">
              {bar.value > 0 && <span className="fill" style={share(bar.value)} />}
            </span>
            <span className="value">{bar.shown}</span>
            {bar.note && <span className="note">{bar.note}</span>}
          </li>
        ))}
      </ol>
      {(mark || folds) && (
        <figcaption>
          {mark && (
            <span className="against">
              <span className="dash" aria-hidden="true" />
              <span>{mark.label}</span>
            </span>
          )}
          {folds && (
            <Button small aria-expanded={all} onClick={() => setAll(!all)}>
              {all ? fewer : more(bars.length)}
            </Button>
          )}
        </figcaption>
      )}
    </figure>
  )
}
