import { AssignDialog } from './AssignDialog.tsx'
import type { CaseAct } from './CaseActions.tsx'
import { DecideCaseDialog } from './DecideCaseDialog.tsx'
import { RecordActivityDialog } from './RecordActivityDialog.tsx'
import { ReferDialog } from './ReferDialog.tsx'
import { ReferralDialog } from './ReferralDialog.tsx'
import { UploadDocumentDialog } from './UploadDocumentDialog.tsx'
import type { CaseAnswer } from './useCase.tsx'
import { WithdrawDialog } from './WithdrawDialog.tsx'

/**
 * The dialog of an act. It stays when the case is decided or assigned to somebody else meanwhile, because of what was typed: the server
 * says why it is not taken.
 */
export function CaseDialogs({
  answer,
  act,
  onClose,
}: {
  answer: CaseAnswer
  act: CaseAct
  onClose: () => void
}) {
  const { complain, channels } = answer
  if (typeof act === 'object' && 'read' in act)
    return <ReferralDialog referral={act.read} onClose={onClose} />
  if (act === 'assign') return <AssignDialog complain={complain} onClose={onClose} />
  if (typeof act === 'object') return <WithdrawDialog referral={act.withdraw} onClose={onClose} />
  switch (act) {
    case 'activity':
      return <RecordActivityDialog caseId={complain.id} channels={channels} onClose={onClose} />
    case 'document':
      return <UploadDocumentDialog caseId={complain.id} onClose={onClose} />
    case 'refer':
      return <ReferDialog complain={complain} onClose={onClose} />
    case 'resolve':
    case 'reject':
      return <DecideCaseDialog complain={complain} action={act} onClose={onClose} />
  }
}
