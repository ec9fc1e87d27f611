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

/** A plain label, for tags and kinds that are not states. */
export const Tag = ({ children }: { children: ReactNode }) => <span className="tag">{children}</span>

/** Tags beside each other, over several lines where they must. */
export const Tags = ({ children }: { children: ReactNode }) => <span className="tags">{children}</span>
