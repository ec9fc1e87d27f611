import { Trans, useLingui } from '@lingui/react/macro'
import { asProblem } from '@portal/client/problem'
import { invalidate } from '@portal/client/query'
import { type CountedReport, donorReport, type ReportFilters } from '@portal/contracts/transfers/donor-report'
import { formatNumber } from '@portal/i18n/format'
import { problemText } from '@portal/screens/problemText'
import { useHost, useMutation, useQueryClient } from '@portal/sdk'
import { Button } from '@portal/ui/Button'
import { DateText } from '@portal/ui/Money'
import { Notice } from '@portal/ui/Notice'
import { ProgressCard } from '@portal/ui/Progress'
import type { ReactNode } from 'react'

type Props = { counted: CountedReport; filters: ReportFilters }

export const isCounting = ({ state }: CountedReport) => state === 'waiting' || state === 'counting'

/** A report that reads more payments than a call has time for: its counting, how far it is, and the moment of its figures. */
export function CountingCard({ counted, filters }: Props) {
  const { t } = useLingui()
  const { state, counted_at, payments_done: done } = counted
  const [payments, read] = [formatNumber(counted.payments), formatNumber(done)]
  if (isCounting(counted))
    return (
      <ProgressCard
        title={t`The report is being counted`}
        text={state === 'waiting' ? t`It begins in a moment.` : t`${read} of ${payments} payments read`}
        total={counted.payments}
        parts={[
          { key: 'read', label: t`Payments read`, count: done, tone: 'good' },
          { key: 'rest', label: t`Payments to read`, count: counted.payments - done, tone: 'rest' },
        ]}
        meanwhile={
          <Trans>You can leave this page. The report is kept, and stands here when you come back.</Trans>
        }
      />
    )
  if (state === 'failed')
    return (
      <Notice
        tone="bad"
        title={t`The report could not be counted.`}
        actions={
          <CountButton filters={filters}>
            <Trans>Try again</Trans>
          </CountButton>
        }
      >
        <Trans>The portal made an error. Nothing else is affected.</Trans>
      </Notice>
    )
  if (counted_at)
    return (
      <Notice
        title={t`Kept report.`}
        actions={
          <CountButton filters={filters}>
            <Trans>Count again</Trans>
          </CountButton>
        }
      >
        <Trans>
          Its figures are those of <DateText iso={counted_at} time />. What has changed since is not in them.
        </Trans>
      </Notice>
    )
  return (
    <Notice
      title={t`A large report.`}
      actions={
        <CountButton filters={filters}>
          <Trans>Count the report</Trans>
        </CountButton>
      }
    >
      <Trans>
        It reads {payments} payments, which takes some minutes. You can go on working meanwhile. A shorter
        period may be shown at once.
      </Trans>
    </Notice>
  )
}

function CountButton({ filters, children }: { filters: ReportFilters; children: ReactNode }) {
  const { client, notify } = useHost()
  const queries = useQueryClient()
  const count = useMutation({
    mutationFn: () => client.call(donorReport.count, { body: filters }),
    onError: (error) => notify.bad(problemText(asProblem(error))),
    onSettled: () => invalidate(queries, donorReport.read),
  })
  return (
    <Button small busy={count.isPending} onClick={() => count.mutate()}>
      {children}
    </Button>
  )
}
