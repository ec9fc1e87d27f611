import type { ReactNode } from 'react'

// Breaks where it must, and is selected by one click.
const whole = { overflowWrap: 'anywhere', userSelect: 'all' } as const

/** What is copied into a device as it stands. */
export const Code = ({ children }: { children: ReactNode }) => (
  <code className="mono" style={whole}>
    {children}
  </code>
)
