import { NavSheet } from '@portal/ui/NavSheet'
import type { NavEntry } from '@portal/ui/Sidebar'
import { renderLink } from '../../platform/links.tsx'
import { useLeaving } from '../../session/dirty.ts'
import { useSessionStore } from '../../session/session.ts'
import { LeaveDialog } from './LeaveDialog.tsx'
import { SignInAgainDialog } from './SignInAgainDialog.tsx'

type Props = { name: string; entries: NavEntry[]; menu: boolean; onMenuClose: () => void }

/** What brings the dialog library along, and what the frame mostly does without. */
export function Dialogs({ name, entries, menu, onMenuClose }: Props) {
  const expired = useSessionStore((state) => state.expired)
  const confirming = useSessionStore((state) => state.confirming)
  const leaving = useLeaving((state) => state.asked !== null)
  return (
    <>
      {menu && <NavSheet entries={entries} name={name} onClose={onMenuClose} renderLink={renderLink} />}
      {leaving && <LeaveDialog />}
      {(expired || confirming) && (
        <SignInAgainDialog
          key={String(expired)}
          confirming={expired ? undefined : (confirming ?? undefined)}
        />
      )}
    </>
  )
}
