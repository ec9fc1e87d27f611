import { useLingui } from '@lingui/react/macro'
import type { CohortSummary } from '@portal/contracts/transfers/cohorts'
import { formatDate, formatRate, moneyText } from '@portal/i18n/format'
import { type Total, Totals } from '@portal/ui/Dialog'
import { Count, Money } from '@portal/ui/Money'
import type { approvalPlan } from '../plan.ts'

type Props = { cohort: CohortSummary; plan: ReturnType<typeof approvalPlan> }

/** Control totals in the order of the file, the amount of the next round as the one large figure. */
export function ApprovalTotals({ cohort, plan }: Props) {
  const { t } = useLingui()
  const { import: file, list_amount: amount, list_fees: fees, master_list_count: count } = cohort
  const each = cohort.transfer_parameter.amount
  const [eachText, rate] = [moneyText(each), formatRate(cohort.transfer_parameter.commission)]
  const [n, of, due] = [plan.made.n, plan.total, formatDate(plan.made.due_on)]
  const rows: Total[] = [
    { key: 'rows', label: t`Rows in the file`, value: <Count value={file.rows_read} /> },
    { key: 'rejected', label: t`Rows rejected, left out`, value: <Count value={file.rows_rejected} /> },
    { key: 'double', label: t`Duplicate rows, counted once`, value: <Count value={file.rows_duplicate} /> },
    { key: 'count', label: t`Recipients to pay`, value: <Count value={count} /> },
    {
      key: 'amount',
      label: each * count === amount ? t`Expected amount, ${eachText} each` : t`Expected amount`,
      value: <Money amount={amount} />,
    },
    { key: 'fees', label: t`Fees, ${rate}`, value: <Money amount={fees} /> },
    {
      key: 'sent',
      label: plan.paid
        ? t`Paid before, round ${n} of ${of}`
        : plan.ahead
          ? t`Sent on ${due}, round ${n} of ${of}`
          : t`Sent now, round ${n} of ${of}`,
      value: <Money amount={amount + fees} />,
      sum: true,
    },
  ]
  if (of > 1) {
    rows.push({ key: 'all', label: t`All ${of} rounds`, value: <Money amount={(amount + fees) * of} /> })
  }
  return <Totals label={t`Control totals`} rows={rows} />
}
