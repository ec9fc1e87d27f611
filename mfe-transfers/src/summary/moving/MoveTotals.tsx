import { Plural, Trans, useLingui } from '@lingui/react/macro'
import type { CohortMove } from '@portal/contracts/transfers/cohort-moves'
import { Totals } from '@portal/ui/Dialog'
import { Count, Money } from '@portal/ui/Money'
import { Notice } from '@portal/ui/Notice'
import './words.ts'

/** What moves of a cohort, what stays with its agency, and what is in the way. */
export function MoveTotals({ move }: { move: CohortMove }) {
  const { t } = useLingui()
  const { pending, failed, unknown, sending, rounds_left, wanted } = move
  const stays = move.agency.name
  return (
    <>
      <Totals
        label={t`What moves`}
        rows={[
          { key: 'pending', label: t`Payments to send`, value: <Count value={pending.count} /> },
          { key: 'rounds', label: t`Rounds to come`, value: <Count value={rounds_left} /> },
          {
            key: 'failed',
            label: t`Failed payments, if they are made again`,
            value: <Count value={failed.count} />,
          },
          { key: 'amount', label: t`Amount to send`, value: <Money amount={pending.amount} />, sum: true },
        ]}
      />
      {sending + unknown.count > 0 && (
        <Notice title={t`Stays with ${stays}`}>
          <Plural
            value={sending + unknown.count}
            one="# payment has been sent without an answer so far. It is brought to its end there and never sent through the other agency."
            other="# payments have been sent without an answer so far. They are brought to their end there and never sent through the other agency."
          />
        </Notice>
      )}
      {wanted && wanted.obstacles.length > 0 && (
        <Notice tone="bad" title={t`What is in the way`}>
          <ul>
            {wanted.obstacles.map((line) => (
              <li key={line}>{line}</li>
            ))}
          </ul>
        </Notice>
      )}
      {wanted && wanted.other_operator > 0 && (
        <Notice tone="waiting">
          <Plural
            value={wanted.other_operator}
            one="# number begins like one of another operator. This agency may refuse it."
            other="# numbers begin like those of another operator. This agency may refuse them."
          />
        </Notice>
      )}
      <p className="small muted">
        <Trans>Amounts and fees stay as they were approved.</Trans>
      </p>
    </>
  )
}
