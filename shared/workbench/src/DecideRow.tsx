import { Trans, useLingui } from '@lingui/react/macro'
import { isDoubt } from '@portal/contracts/imports'
import { Button } from '@portal/ui/Button'
import type { Corrections, RowDecision } from './useCorrections.tsx'

type Props = { row: number; reason?: string; corrections: Corrections }

/** What becomes of a whole row: each decision is a switch, so that pressing it again takes it back. */
export function DecideRow({ row, reason, corrections }: Props) {
  const { t } = useLingui()
  const decided = corrections.decided(row) ?? (corrections.confirmedAll(reason ?? '') ? 'confirm' : undefined)
  const choice = (decision: RowDecision, name: string) => ({
    small: true,
    'aria-pressed': decided === decision,
    'aria-label': name,
    icon: decided === decision ? ('check' as const) : undefined,
    onClick: () => corrections.decide(row, decision),
  })
  if (reason === 'left_out')
    return (
      <Button {...choice('take_back', t`Import it after all, row ${row}`)}>
        <Trans>Import it after all</Trans>
      </Button>
    )
  return (
    <span className="decisions">
      {reason === 'row_conflict' && (
        <Button {...choice('keep', t`Keep this one, row ${row}`)}>
          <Trans>Keep this one</Trans>
        </Button>
      )}
      {isDoubt(reason ?? '') && (
        <Button
          {...choice('confirm', t`It is right, row ${row}`)}
          disabled={corrections.confirmedAll(reason ?? '')}
        >
          <Trans>It is right</Trans>
        </Button>
      )}
      <Button {...choice('leave_out', t`Leave this row out, row ${row}`)}>
        <Trans>Leave this row out</Trans>
      </Button>
    </span>
  )
}
