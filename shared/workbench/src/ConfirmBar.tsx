import { Plural, Trans } from '@lingui/react/macro'
import { doubts, type RejectedGroup } from '@portal/contracts/imports'
import { Button } from '@portal/ui/Button'
import type { Corrections } from './useCorrections.tsx'

type Props = { group: RejectedGroup; corrections: Corrections }

/** Offers to confirm all rows of a group that are rejected only until somebody says that they are right. */
export function ConfirmBar({ group, corrections }: Props) {
  const doubt = doubts.find((reason) => reason === group.reason)
  if (!doubt || group.count < 2) return null
  const confirmed = corrections.confirmedAll(doubt)
  const toggle = () => corrections.confirmAll(doubt, group.count)
  if (confirmed)
    return (
      <div className="fixbar" role="status">
        <span>
          <Plural value={group.count} one="# row is confirmed." other="All # rows are confirmed." />
        </span>
        <Button small onClick={toggle}>
          <Trans>Undo</Trans>
        </Button>
      </div>
    )
  return (
    <div className="fixbar">
      <span>
        <Trans>If all of them are right, confirm them at once.</Trans>
      </span>
      <Button small onClick={toggle}>
        <Plural value={group.count} one="Confirm # row" other="Confirm all # rows" />
      </Button>
    </div>
  )
}
