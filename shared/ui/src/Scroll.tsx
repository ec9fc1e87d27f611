import { type ReactNode, useRef } from 'react'
import { useTooWide } from './useTooWide.ts'

/** The box around a table. If the table is wider, the box scrolls sideways and is focusable by its name. */
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
