import { Trans } from '@lingui/react/macro'
import type { Case, Referral } from '@portal/contracts/cases'
import { Button } from '@portal/ui/Button'

/** The acts of a reviewer on a case; acts on a consultation carry the consultation. */
export type CaseAct =
  | 'resolve'
  | 'reject'
  | 'activity'
  | 'document'
  | 'refer'
  | 'assign'
  | { withdraw: Referral }
  | { read: Referral }

/** The acts of a case, the deciding ones last; a second consultation waits for the first. */
export function CaseActions({ complain, onAct }: { complain: Case; onAct: (act: CaseAct) => void }) {
  return (
    <>
      <Button variant="danger" onClick={() => onAct('reject')}>
        <Trans>Reject</Trans>
      </Button>
      {complain.status !== 'in_progress' && (
        <Button icon="send" onClick={() => onAct('refer')}>
          <Trans>Refer external input</Trans>
        </Button>
      )}
      <Button icon="message" onClick={() => onAct('activity')}>
        <Trans>Record activity</Trans>
      </Button>
      <Button variant="primary" onClick={() => onAct('resolve')}>
        <Trans>Resolve case</Trans>
      </Button>
    </>
  )
}
