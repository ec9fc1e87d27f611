import { BellButton } from '@portal/ui/TopBar'
import { open, useFrame } from './opened.ts'

/** The bell of the top bar; what it opens and counts is a lazy component. */
export function Bell() {
  const { opened, unread } = useFrame()
  const isOpen = opened === 'notifications'
  return (
    <BellButton
      unread={unread}
      aria-expanded={isOpen}
      onClick={() => open(isOpen ? null : 'notifications')}
    />
  )
}
