import { type ReactNode, useRef } from 'react'
import { useTooWide } from './useTooWide.ts'

/** A table's box. Where the table is wider it scrolls sideways, and then the keyboard reaches it by its name. */
export function Scroll({ label, children }: { label: string; children: ReactNode }) {
  const box = useRef<HTMLDivElement>(null)
  const tooWide = useTooWide(box)
  return (
    <div
      ref={box}
      className={tooWide ? 'scroll too-wide' : 'scroll'}
      {...(tooWide && { role: 'group', tabIndex: 0, 'aria-label': label })}
    >
      {children}
    </div>
  )
}
