import { Plural, Trans } from '@lingui/react/macro'
import type { Parameter } from '@portal/contracts/transfers/agencies'
import { planRounds } from '@portal/contracts/transfers/rounds'
import { DateText, Money } from '@portal/ui/Money'
import { Notice } from '@portal/ui/Notice'
import { Fragment } from 'react'

const isDay = (text: unknown): text is string => typeof text === 'string' && /^\d{4}-\d{2}-\d{2}$/.test(text)

const longest = 20 * 366 * 86_400_000

/** How many rounds a period makes, when they are due and what each recipient gets (Money 2.1). */
export function RoundsPreview({
  from,
  to,
  parameter,
}: {
  from?: unknown
  to?: unknown
  parameter: Parameter | undefined
}) {
  if (!isDay(from) || !isDay(to) || to < from || !parameter) return null
  // While a year is typed the period may span centuries; no plan of that length is accepted anyway.
  if (Date.parse(to) - Date.parse(from) > longest) return null
  const rounds = planRounds(from, to, parameter.frequency)
  const shown = rounds.length > 6 ? [...rounds.slice(0, 4), rounds.at(-1)] : rounds
  return (
    <Notice
      icon="calendar"
      title={<Plural value={rounds.length} one="# disbursement round" other="# disbursement rounds" />}
    >
      <Trans>
        with <Money amount={parameter.amount} /> for each recipient of the list that has no amount of its own.
        The total per round is known when the list has been read.
      </Trans>
      <br />
      {shown.map((round, at) => (
        <Fragment key={round?.n}>
          {at > 0 && (rounds.length > 6 && at === 4 ? ' … ' : ' · ')}
          <DateText iso={round?.due_on} />
        </Fragment>
      ))}
    </Notice>
  )
}
