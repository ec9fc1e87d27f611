import type { CSSProperties, ReactNode } from 'react'

/** A measure of each group: its name, its colour. */
export type Series = { key: string; label: string; tone: 'accent' | 'warm' }
/** One group of columns; a value is a part of 1, null where there is none. */
export type ColumnGroup = { key: string; label: ReactNode; values: readonly (number | null)[] }

type Props = {
  /** What is drawn and every figure of it, in a sentence: the chart is an image for readers. */
  label: string
  series: readonly Series[]
  groups: readonly ColumnGroup[]
  /** How a value is read above its column: "93%". */
  format: (value: number) => string
}

/** Vertical columns in groups, each a part of 1 with its figure. Needs `chart.css`. */
export function ColumnChart({ label, series, groups, format }: Props) {
  return (
    <div className="columns" role="img" aria-label={label}>
      <div className="series">
        {series.map(({ key, label, tone }) => (
          <span key={key}>
            <span className={`swatch ${tone}`} /> {label}
          </span>
        ))}
      </div>
      <div className="plot">
        {groups.map((group) => (
          <div key={group.key} className="set">
            <div className="stand">
              {series.map(({ key, tone }, place) => (
                <Column key={key} tone={tone} value={group.values[place] ?? null} format={format} />
              ))}
            </div>
            <span className="name">{group.label}</span>
          </div>
        ))}
      </div>
    </div>
  )
}

type ColumnProps = { tone: Series['tone']; value: number | null; format: (value: number) => string }

const Column = ({ tone, value, format }: ColumnProps) =>
  value === null ? (
    <span className="column none" />
  ) : (
    <span className={`column ${tone}`} style={{ '--part': value } as CSSProperties}>
      <span className="value">{format(value)}</span>
    </span>
  )
