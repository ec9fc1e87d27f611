import { Trans, useLingui } from '@lingui/react/macro'
import type { FailedPayments } from '@portal/contracts/transfers/payrolls'
import { lazy } from '@portal/screens/lazy'
import { useDialog } from '@portal/screens/useDialog'
import { useCan } from '@portal/sdk'
import { Button } from '@portal/ui/Button'
import { Card } from '@portal/ui/Card'
import { Count, Money } from '@portal/ui/Money'
import { type Column, Table } from '@portal/ui/Table'
import { FailureReason } from '../PaymentPill.tsx'
import type { Retry } from './acts/RetryPaymentsDialog.tsx'
import { AgencyCode } from './PaymentState.tsx'

const RetryPaymentsDialog = lazy(() => import('./acts/RetryPaymentsDialog.tsx'), 'RetryPaymentsDialog')

type Cohort = { id: number; name: string; failures: readonly FailedPayments[]; retry_barred: string | null }

/** What failed in all rounds of a cohort, by the agency's reason: what time or a correction cures is made again at once. */
export function FailuresCard({ cohort }: { cohort: Cohort }) {
  const { t } = useLingui()
  const can = useCan()
  const retrying = useDialog<Retry>()
  const retry = ({ reason, count, amount }: FailedPayments) =>
    retrying.open({ wanted: { cohort_id: cohort.id, reason, at_most: count }, count, amount, others: 0 })
  const columns: Column<FailedPayments>[] = [
    {
      key: 'reason',
      header: t`Reason`,
      wrap: true,
      phone: 'title',
      cell: ({ reason, agency_code, next_step }) => (
        <div>
          <FailureReason strong reason={reason} />
          {agency_code && <AgencyCode code={agency_code} />}
          {next_step && <div className="small muted">{next_step}</div>}
        </div>
      ),
    },
    { key: 'count', header: t`Payments`, align: 'right', cell: ({ count }) => <Count value={count} /> },
    {
      key: 'amount',
      header: t`Amount (XOF)`,
      align: 'right',
      cell: ({ amount }) => <Money amount={amount} currency={false} />,
    },
  ]
  if (can('cohorts.approve'))
    columns.push({
      key: 'act',
      header: <span className="hidden-visually">{t`Actions`}</span>,
      label: ' ',
      align: 'right',
      cell: (failed) => (
        <Button small icon="retry" onClick={() => retry(failed)}>
          <Trans>Retry all</Trans>
        </Button>
      ),
    })
  if (cohort.failures.length === 0 && !retrying.item) return null
  return (
    <Card title={t`Failed payments`}>
      <Table
        compact
        label={t`Failed payments`}
        columns={columns}
        rows={[...cohort.failures]}
        rowKey={({ reason }) => reason}
        empty={t`No data available`}
      />
      {retrying.item && (
        <RetryPaymentsDialog
          retry={retrying.item}
          of={cohort.name}
          barred={cohort.retry_barred}
          onClose={retrying.close}
        />
      )}
    </Card>
  )
}
