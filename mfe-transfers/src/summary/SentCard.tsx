import { Plural, Trans, useLingui } from '@lingui/react/macro'
import type { Progress } from '@portal/contracts/transfers/cohorts'
import { formatDateTime, formatNumber } from '@portal/i18n/format'
import { Button } from '@portal/ui/Button'
import { ProgressEnded } from '@portal/ui/Progress'
import type { ReactNode } from 'react'

export type Round = NonNullable<Progress['round']>
type Props = {
  round: Round
  onSee: (status: string) => void
  /** Unknown payments may be sent again with their key, so a person may still stop the round. */
  stop?: ReactNode
}

/** How a round went; it stays, and names what is still uncertain. */
export function SentCard({ round, onSee, stop }: Props) {
  const { t } = useLingui()
  const [paid, total] = [formatNumber(round.success), formatNumber(round.total)]
  const look = round.failed > 0 ? 'failed' : round.unknown > 0 ? 'unknown' : null
  const seen = formatNumber(look ? round[look] : 0)
  return (
    <ProgressEnded
      title={round.unknown > 0 ? t`Round ${round.n} has been sent` : t`Round ${round.n} has ended`}
      when={round.executed_at && formatDateTime(round.executed_at)}
      total={round.total}
      parts={[
        { key: 'success', label: t`Success`, count: round.success, tone: 'good' },
        { key: 'failed', label: t`Failed`, count: round.failed, tone: 'bad' },
        ...(round.withheld > 0
          ? [
              {
                key: 'withheld',
                label: t({ message: 'Withheld', context: 'of a payment' }),
                count: round.withheld,
                tone: 'waiting' as const,
              },
            ]
          : []),
        ...(round.written_off > 0
          ? [{ key: 'written_off', label: t`Written off`, count: round.written_off, tone: 'accent' as const }]
          : []),
        // What is unknown is not done: it leaves its part of the bar empty.
        { key: 'unknown', label: t`Unknown outcome`, count: round.unknown, tone: 'rest' },
      ]}
      text={
        <>
          <Trans>
            {paid} of {total} paid.
          </Trans>{' '}
          {round.failed > 0 && (
            <Plural
              value={round.failed}
              one="# payment was refused and counts as arrears."
              other="# payments were refused and count as arrears."
            />
          )}{' '}
          {round.unknown > 0 && (
            <Plural
              value={round.unknown}
              one="# has an unknown outcome; nothing is sent twice."
              other="# have an unknown outcome; nothing is sent twice."
            />
          )}
        </>
      }
      action={
        <>
          {look && (
            <Button small variant="plain" onClick={() => onSee(look)}>
              <Trans>See {seen}</Trans>
            </Button>
          )}
          {round.unknown > 0 && stop}
        </>
      }
    />
  )
}
