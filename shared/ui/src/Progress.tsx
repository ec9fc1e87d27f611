import { useLingui } from '@lingui/react'
import { formatPercent } from '@portal/i18n/format'
import { type ReactNode, useId } from 'react'
import { Card } from './Card.tsx'
import type { Swatch } from './Figures.tsx'
import { Count } from './Money.tsx'

/** One part of a bar; `rest` is what is still to come and stays empty. */
export type Part = { key: string; label: ReactNode; count: number; tone: Swatch }

const share = (count: number, total: number) => (total > 0 ? Math.min(count / total, 1) : 0)

/** Percent done; 100 is said only when all is done. */
export function percentDone(done: number, total: number): number {
  if (total <= 0) return 0
  return done >= total ? 100 : Math.min(Math.round((done / total) * 100), 99)
}

type BarProps = { parts: Part[]; total: number; labelledBy?: string; label?: string; thin?: boolean }

/** One bar in parts. */
export function Bar({ parts, total, labelledBy, label, thin }: BarProps) {
  const filled = parts.filter((part) => part.tone !== 'rest' && part.count > 0)
  const done = filled.reduce((sum, part) => sum + part.count, 0)
  return (
    <div
      className={thin ? 'bar thin' : 'bar'}
      role="progressbar"
      aria-valuemin={0}
      aria-valuemax={100}
      aria-valuenow={percentDone(done, total)}
      aria-labelledby={labelledBy}
      aria-label={label}
    >
      {filled.map((part) => (
        <span key={part.key} className={part.tone} style={{ width: `${share(part.count, total) * 100}%` }} />
      ))}
    </div>
  )
}

type ProgressProps = {
  /** What is happening. */
  title: ReactNode
  /** n of m, in words. */
  text?: ReactNode
  parts: Part[]
  total: number
  /** Rate and time left. */
  pace?: ReactNode
  /** What one may do meanwhile. */
  meanwhile?: ReactNode
  actions?: ReactNode
}

/** The progress of a job: its name, share done, parts and time left. It stays visible after the end. */
export function ProgressCard({ title, text, parts, total, pace, meanwhile, actions }: ProgressProps) {
  useLingui()
  const id = useId()
  const done = parts.reduce((sum, part) => (part.tone === 'rest' ? sum : sum + part.count), 0)
  return (
    <section className="card card-body progress-card" aria-labelledby={id}>
      <div className="progress-head">
        <div>
          <h2 id={id}>{title}</h2>
          {text && <p className="muted">{text}</p>}
        </div>
        <span className="figure">{formatPercent(percentDone(done, total) / 100)}</span>
      </div>
      <Bar parts={parts} total={total} labelledBy={id} />
      <dl className="legend">
        {parts.map((part) => (
          <div key={part.key}>
            <dt>
              <span className={`swatch ${part.tone}`} />
              {part.label}
            </dt>
            <dd>
              <Count value={part.count} />
            </dd>
          </div>
        ))}
      </dl>
      {(pace || meanwhile || actions) && (
        <div className="progress-foot">
          {pace && <span>{pace}</span>}
          {meanwhile && <span>{meanwhile}</span>}
          {actions}
        </div>
      )}
    </section>
  )
}

type EndedProps = {
  title: ReactNode
  when?: ReactNode
  parts: Part[]
  total: number
  text: ReactNode
  action?: ReactNode
}

/** The short form of a progress that has ended. */
export function ProgressEnded({ title, when, parts, total, text, action }: EndedProps) {
  useLingui()
  const id = useId()
  const done = parts.reduce((sum, part) => (part.tone === 'rest' ? sum : sum + part.count), 0)
  return (
    <Card padded>
      <div className="row">
        <span className="grow" id={id}>
          <span className="strong">{title}</span>
          {when && <span className="muted"> · {when}</span>}
        </span>
        <span className="strong">{formatPercent(percentDone(done, total) / 100)}</span>
      </div>
      <Bar thin parts={parts} total={total} labelledBy={id} />
      <div className="row small progress-ended">
        <span className="grow muted">{text}</span>
        {action}
      </div>
    </Card>
  )
}

/** A row's share of a whole as bar and percentage: `of` is the longest row, `share` the part of the total. */
export function Share({ value, of, share: part }: { value: number; of: number; share: number }) {
  useLingui()
  return (
    <span className="share">
      <span className="track">
        <span className="fill" style={{ width: `${share(value, of) * 100}%` }} />
      </span>
      <span className="pc">{formatPercent(part, 1)}</span>
    </span>
  )
}
