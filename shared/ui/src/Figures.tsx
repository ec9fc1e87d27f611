import type { ReactNode } from 'react'
import { Icon, type IconName } from './Icon.tsx'
import { plainLink, type RenderLink } from './link.tsx'
import { Money } from './Money.tsx'

/** Colour of a part, the same in figures, bars and legends. */
export type Swatch = 'good' | 'bad' | 'waiting' | 'accent' | 'rest'

const Mark = ({ tone }: { tone?: Swatch }) => tone && <span className={`swatch ${tone}`} />

/** One amount of the strip. */
export type Figure = {
  key: string
  label: ReactNode
  amount: number | bigint
  note?: ReactNode
  swatch?: Swatch
}

type FiguresProps = {
  figures: Figure[]
  /** The first is meant to be the sum of the others: = and + are drawn, but only while it is, to the franc. */
  sum?: boolean
  /** Inside a card, without an edge of its own. */
  bare?: boolean
}

/** Whether the first amount equals the sum of the others. */
export function sumHolds(figures: readonly Pick<Figure, 'amount'>[]): boolean {
  const [first, ...others] = figures.map((figure) => BigInt(figure.amount))
  return first !== undefined && others.length > 0 && others.reduce((sum, each) => sum + each, 0n) === first
}

/** The three or four amounts that lead a money page. */
export function Figures({ figures, sum, bare }: FiguresProps) {
  const signs = sum && sumHolds(figures)
  // Five amounts beside each other would leave the page.
  const many = figures.length > 4
  return (
    <dl
      className={[bare ? '' : 'card', 'figures', many ? 'many' : ''].filter(Boolean).join(' ')}
      style={figures.length === 4 ? undefined : columns(many ? 3 : figures.length)}
    >
      {figures.map((figure, place) => (
        <div key={figure.key}>
          <dt>
            {signs && place > 0 && (
              <span className="op" aria-hidden="true">
                {place === 1 ? '=' : '+'}
              </span>
            )}
            <Mark tone={figure.swatch} />
            {figure.label}
          </dt>
          <dd className="figure">
            <Money amount={figure.amount} />
          </dd>
          {figure.note && <dd className="note">{figure.note}</dd>}
        </div>
      ))}
    </dl>
  )
}

const columns = (count: number) => ({ '--figures': count }) as React.CSSProperties

type StatProps = {
  href: string
  icon: IconName
  label: ReactNode
  figure: ReactNode
  note?: ReactNode
  /** Takes the whole width on phones. */
  wide?: boolean
  renderLink?: RenderLink
}

/** A figure that leads to its page. */
export function StatCard({ href, icon, label, figure, note, wide, renderLink = plainLink }: StatProps) {
  return renderLink({
    href,
    className: ['card stat', note && 'noted', wide && 'wide'].filter(Boolean).join(' '),
    children: (
      <>
        <span className="label">
          <Icon name={icon} />
          <span>{label}</span>
          <Icon name="arrow" size={16} className="go" />
        </span>
        <span className="figure">{figure}</span>
        {note && <span className="note">{note}</span>}
      </>
    ),
  })
}

/** Stat cards side by side, two by two on phones. */
export const Stats = ({ columns: count = 4, children }: { columns?: number; children: ReactNode }) => (
  <div className="stats" style={{ '--stats': count } as React.CSSProperties}>
    {children}
  </div>
)

/** A name and its value; `note` stands muted behind. */
export type Fact = { key: string; label: ReactNode; value: ReactNode; note?: ReactNode }

/** What a thing is, in one line of names and values. */
export function Facts({ facts, bare }: { facts: Fact[]; bare?: boolean }) {
  return (
    <dl
      className={bare ? 'facts' : 'card card-body facts'}
      style={facts.length === 6 ? ({ '--facts': 6 } as React.CSSProperties) : undefined}
    >
      {facts.map((fact) => (
        <div key={fact.key}>
          <dt>{fact.label}</dt>
          <dd>
            {fact.value}
            {fact.note && <small> {fact.note}</small>}
          </dd>
        </div>
      ))}
    </dl>
  )
}

/** What a thing is, one line per fact: for side panels and details dialogs. */
export function Sheet({ facts }: { facts: Fact[] }) {
  return (
    <dl className="sheet-list">
      {facts.map((fact) => (
        <div key={fact.key}>
          <dt>{fact.label}</dt>
          <dd>
            {fact.value}
            {fact.note && <div className="small muted">{fact.note}</div>}
          </dd>
        </div>
      ))}
    </dl>
  )
}
