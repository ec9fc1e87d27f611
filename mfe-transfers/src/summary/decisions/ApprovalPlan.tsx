import { Plural, Trans } from '@lingui/react/macro'
import { formatDate } from '@portal/i18n/format'
import { currentLocale } from '@portal/i18n/locale'
import { Notice } from '@portal/ui/Notice'
import type { approvalPlan } from '../plan.ts'

/** `01/12/2026 and 01/01/2027`; of many only the first and the last. */
function daysText(rounds: readonly { due_on: string }[]): string {
  const days = rounds.map((round) => formatDate(round.due_on))
  if (days.length > 5) return `${days[0]} – ${days.at(-1)}`
  return new Intl.ListFormat(currentLocale(), { type: 'conjunction' }).format(days)
}

/** What happens when, in words: the round made now, those that follow, those that are missed. */
export function ApprovalPlan({ plan }: { plan: ReturnType<typeof approvalPlan> }) {
  const { made, later, missed, ahead, paid } = plan
  const due = formatDate(made.due_on)
  const [next, gone] = [daysText(later), daysText(missed)]
  return (
    <>
      {missed.length > 0 && (
        <Notice
          tone="waiting"
          title={
            <Plural
              value={missed.length}
              one="# earlier round is missed."
              other="# earlier rounds are missed."
            />
          }
        >
          <Trans>
            Due on {gone}, before today. Not paid by this approval; an approver may start each missed round by
            hand.
          </Trans>
        </Notice>
      )}
      <p>
        <span className="strong">
          {paid ? (
            <Trans>Nothing of round {made.n} is sent.</Trans>
          ) : ahead ? (
            <Trans>
              Round {made.n} is sent on {due}.
            </Trans>
          ) : (
            <Trans>Round {made.n} starts at once.</Trans>
          )}
        </span>{' '}
        {later.length > 0 && (
          <>
            <Plural
              value={later.length}
              one={`The last round follows by itself on ${next}.`}
              other={`# more rounds follow by themselves on ${next}.`}
            />{' '}
          </>
        )}
        <Trans>A payment that has been sent cannot be taken back.</Trans>
      </p>
    </>
  )
}
