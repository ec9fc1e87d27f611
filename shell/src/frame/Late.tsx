import { NavSheet } from '@portal/ui/NavSheet'
import { Toaster } from '@portal/ui/Toaster'
import type { NavEntry } from '@portal/ui/Sidebar'
import { useLeaving } from '../platform/dirty.ts'
import { SignInAgainDialog } from '../session/SignInAgainDialog.tsx'
import { useSessionStore } from '../session/session.ts'
import { LeaveDialog } from './LeaveDialog.tsx'
import { renderLink } from './links.tsx'

type Props = { name: string; entries: NavEntry[]; menu: boolean; onMenuClose: () => void }

/** What the first paint does without: messages, dialogs and the phone's menu. */
export function Late({ name, entries, menu, onMenuClose }: Props) {
  const expired = useSessionStore((state) => state.expired)
  const leaving = useLeaving((state) => state.go !== null)
  return (
    <>
      <Toaster />
      {menu && <NavSheet entries={entries} name={name} onClose={onMenuClose} renderLink={renderLink} />}
      {leaving && <LeaveDialog />}
      {expired && <SignInAgainDialog />}
    </>
  )
}
