import type { ReactNode } from 'react'
import { Icon, type IconName } from './Icon.tsx'

/** What a state means for the reader; always beside a word. */
export type Tone = 'good' | 'bad' | 'waiting' | 'info' | 'neutral'

const usual: Record<Tone, IconName> = {
  good: 'good',
  bad: 'bad',
  waiting: 'question',
  info: 'clock',
  neutral: 'clock',
}

/** A state as icon and word. */
export function StatusPill({ tone, icon, children }: { tone: Tone; icon?: IconName; children: ReactNode }) {
  return (
    <span className={`pill ${tone === 'neutral' ? '' : tone}`.trim()}>
      <Icon name={icon ?? usual[tone]} size={14} />
      {children}
    </span>
  )
}

type TagProps = { children: ReactNode; remove?: { label: string; onRemove: () => void } }

/** A plain label for tags and kinds that are not states; `remove` is its remove button, with a name for screen readers. */
export const Tag = ({ children, remove }: TagProps) => (
  <span className="tag">
    {children}
    {remove && (
      <button type="button" aria-label={remove.label} title={remove.label} onClick={remove.onRemove}>
        <Icon name="x" size={14} />
      </button>
    )}
  </span>
)

/** Tags beside each other, over several lines where they must. */
export const Tags = ({ children }: { children: ReactNode }) => <span className="tags">{children}</span>
