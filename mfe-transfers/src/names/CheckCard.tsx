import { Plural, Trans, useLingui } from '@lingui/react/macro'
import { asProblem } from '@portal/client/problem'
import { invalidate } from '@portal/client/query'
import { type NamesOfList, nameChecks } from '@portal/contracts/transfers/name-checks'
import type { NameState } from '@portal/contracts/transfers/name-outcomes'
import { nameCheckSteps } from '@portal/contracts/transfers/steps/names'
import { formatNumber } from '@portal/i18n/format'
import { lazy } from '@portal/screens/lazy'
import { problemText } from '@portal/screens/problemText'
import { refetchTwice } from '@portal/screens/refetchTwice'
import { useHost, useMutation, useQueryClient } from '@portal/sdk'
import { Button } from '@portal/ui/Button'
import { DateText } from '@portal/ui/Money'
import { Notice } from '@portal/ui/Notice'
import { ProgressCard } from '@portal/ui/Progress'
import { useEffect, useRef } from 'react'

const NextStep = lazy(() => import('../dialogs/NextStep.tsx'), 'NextStep')

/** How many names were checked, how they agree, and the way to check them. */
export function CheckCard({ id, names }: { id: number; names: NamesOfList }) {
  const { t } = useLingui()
  const { agency, counts, check, answered_at } = names
  const total = counts.reduce((sum, { count }) => sum + count, 0)
  const count = (...states: NameState[]) =>
    counts.reduce((sum, each) => sum + (states.includes(each.state) ? each.count : 0), 0)
  const running = check?.state === 'running'
  const queries = useQueryClient()
  const ran = useRef(running)
  // The last answers come with the end of the check, and of the timer of the list.
  useEffect(() => {
    if (ran.current && !running) void invalidate(queries, nameChecks.list)
    ran.current = running
  }, [running, queries])
  const [done, all] = [formatNumber(check?.done ?? 0), formatNumber(check?.total ?? 0)]
  const unanswered = check?.unanswered ?? 0
  return (
    <>
      {check?.problem && (
        <Notice tone="bad" title={t`The check ended early.`}>
          {check.problem} {check.state === 'failed' && <NextStep of={nameCheckSteps} state="failed" />}
        </Notice>
      )}
      {names.barred && <Notice>{names.barred}</Notice>}
      <ProgressCard
        title={t`Names at ${agency}`}
        text={
          running
            ? t`${done} of ${all} rows looked at`
            : unanswered > 0 && (
                <Plural
                  value={unanswered}
                  one="The agency gave no answer about # row."
                  other="The agency gave no answer about # rows."
                />
              )
        }
        total={total}
        parts={[
          { key: 'differs', label: t`Differs`, count: count('different', 'not_found'), tone: 'bad' },
          { key: 'near', label: t`Nearly the same`, count: count('near'), tone: 'waiting' },
          { key: 'same', label: t`Same name`, count: count('match'), tone: 'good' },
          { key: 'open', label: t`Not known`, count: count('not_told', 'unchecked'), tone: 'rest' },
        ]}
        pace={
          answered_at && (
            <Trans>
              Last answer on <DateText iso={answered_at} />
            </Trans>
          )
        }
        meanwhile={
          running &&
          (check.waits ? (
            <Trans>Payments of the agency go first; the check goes on after them.</Trans>
          ) : (
            <Trans>The check goes on when you leave this page.</Trans>
          ))
        }
        actions={<StartOrCancel id={id} names={names} />}
      />
    </>
  )
}

function StartOrCancel({ id, names }: { id: number; names: NamesOfList }) {
  const { client, can, notify } = useHost()
  const queries = useQueryClient()
  const running = names.check?.state === 'running'
  const act = useMutation({
    mutationFn: () => client.call(running ? nameChecks.cancel : nameChecks.start, { params: { id } }),
    onSuccess: ({ message }) => notify.good(message),
    onError: (error) => notify.bad(problemText(asProblem(error))),
    onSettled: () => refetchTwice(queries, [nameChecks.read, nameChecks.list]),
  })
  const count = (state: string) => names.counts.find((each) => each.state === state)?.count ?? 0
  const open = count('unchecked') + names.stale
  if (!(can('cohorts.create') || can('cohorts.approve')) || (names.barred && !running)) return null
  if (running)
    return (
      <Button small busy={act.isPending} onClick={() => act.mutate()}>
        <Trans>Cancel the check</Trans>
      </Button>
    )
  if (open === 0) return null
  return (
    <Button small icon="retry" busy={act.isPending} onClick={() => act.mutate()}>
      {names.stale > 0 ? (
        <Plural value={names.stale} one="Check # older answer again" other="Check # older answers again" />
      ) : (
        <Plural value={open} one="Check # name" other="Check # names" />
      )}
    </Button>
  )
}
