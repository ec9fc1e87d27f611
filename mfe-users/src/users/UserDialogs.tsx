import type { User } from '@portal/contracts/access'
import { lazy } from '@portal/screens/lazy'
import type { HeldRole } from './RemoveRoleDialog.tsx'

const ActivationDialog = lazy(() => import('./ActivationDialog.tsx'), 'ActivationDialog')
const AddUserDialog = lazy(() => import('./AddUserDialog.tsx'), 'AddUserDialog')
const ApprovalLimitDialog = lazy(() => import('./ApprovalLimitDialog.tsx'), 'ApprovalLimitDialog')
const AssignRoleDialog = lazy(() => import('./AssignRoleDialog.tsx'), 'AssignRoleDialog')
const DeactivateUsersDialog = lazy(() => import('./DeactivateUsersDialog.tsx'), 'DeactivateUsersDialog')
const EditUserDialog = lazy(() => import('./EditUserDialog.tsx'), 'EditUserDialog')
const EndSessionsDialog = lazy(() => import('./EndSessionsDialog.tsx'), 'EndSessionsDialog')
const InviteAgainDialog = lazy(() => import('./InviteAgainDialog.tsx'), 'InviteAgainDialog')
const RemoveCodesDialog = lazy(() => import('./RemoveCodesDialog.tsx'), 'RemoveCodesDialog')
const RemoveRoleDialog = lazy(() => import('./RemoveRoleDialog.tsx'), 'RemoveRoleDialog')

/** What an administrator does in a dialog, and to whom. */
export type UserAct =
  | 'add'
  | { edit: User }
  | { switch: User }
  | { assign: User }
  | { limit: User }
  | { removeRole: HeldRole }
  | { removeCodes: User }
  | { endSessions: User }
  | { invite: User }
  | { deactivate: User[]; onDone: () => void }

/** The dialog of an act. */
export function UserDialogs({ act, onClose }: { act: UserAct; onClose: () => void }) {
  if (act === 'add') return <AddUserDialog onClose={onClose} />
  if ('edit' in act) return <EditUserDialog user={act.edit} onClose={onClose} />
  if ('switch' in act) return <ActivationDialog user={act.switch} onClose={onClose} />
  if ('assign' in act) return <AssignRoleDialog user={act.assign} onClose={onClose} />
  if ('limit' in act) return <ApprovalLimitDialog user={act.limit} onClose={onClose} />
  if ('removeRole' in act) return <RemoveRoleDialog {...act.removeRole} onClose={onClose} />
  if ('removeCodes' in act) return <RemoveCodesDialog user={act.removeCodes} onClose={onClose} />
  if ('endSessions' in act) return <EndSessionsDialog user={act.endSessions} onClose={onClose} />
  if ('invite' in act) return <InviteAgainDialog user={act.invite} onClose={onClose} />
  return <DeactivateUsersDialog chosen={act.deactivate} onDone={act.onDone} onClose={onClose} />
}
