import { Trans, useLingui } from '@lingui/react/macro'
import { asProblem } from '@portal/client/problem'
import { type NameQuestion, nameChecks } from '@portal/contracts/transfers/name-checks'
import type { NameAnswer } from '@portal/contracts/transfers/name-outcomes'
import { payrolls } from '@portal/contracts/transfers/payrolls'
import { recipientCorrections } from '@portal/contracts/transfers/recipient-corrections'
import { problemText } from '@portal/screens/problemText'
import { refetchTwice } from '@portal/screens/refetchTwice'
import { useHost, useMutation, useQueryClient } from '@portal/sdk'
import { Button } from '@portal/ui/Button'
import { DateText } from '@portal/ui/Money'
import { Notice } from '@portal/ui/Notice'
import { NamePill } from '../../NamePill.tsx'
import './words.ts'

type Props = {
  /** The row of the list. */
  entryId: number
  /** The name and number to ask about, as they stand when the button is pressed. */
  wanted: () => NameQuestion
  /** What the agency has said already. */
  known?: NameAnswer | null
  /** The name and number that stand there now: an answer about others is not shown. */
  about?: string
}

/** Asks the agency whose number it is, and shows what it says beside the name. */
export function AskName({ entryId, wanted, known = null, about = '' }: Props) {
  const { t } = useLingui()
  const { client, can } = useHost()
  const queries = useQueryClient()
  const ask = useMutation({
    mutationFn: async () => {
      const question = about
      const body = wanted()
      return { question, answer: await client.call(nameChecks.ask, { params: { id: entryId }, body }) }
    },
    onSettled: () => refetchTwice(queries, [payrolls.read, recipientCorrections.list]),
  })
  const problem = ask.error && asProblem(ask.error)
  const answer = ask.data?.question === about ? ask.data.answer : known
  const faults = Object.values(problem?.errors ?? {}).flat()
  return (
    <section className="stack close" aria-label={t`Name at the agency`} aria-live="polite">
      {problem && !ask.isPending && (
        <Notice tone="bad" title={t`The agency was not asked.`}>
          {faults.length > 0 ? faults.join(' ') : problemText(problem)}
        </Notice>
      )}
      {answer?.problem && <Notice tone="waiting">{answer.problem}</Notice>}
      {answer?.outcome && (
        <p>
          <NamePill state={answer.outcome} />{' '}
          {answer.holder && (
            <Trans>
              The agency knows this number as that of <strong>{answer.holder}</strong>.
            </Trans>
          )}{' '}
          {answer.answered_at && (
            <span className="small muted">
              <DateText iso={answer.answered_at} time />
            </span>
          )}
        </p>
      )}
      {(can('cohorts.create') || can('cohorts.approve')) && (
        <div>
          <Button small busy={ask.isPending} onClick={() => ask.mutate()}>
            <Trans>Ask the agency whose number it is</Trans>
          </Button>
        </div>
      )}
    </section>
  )
}
