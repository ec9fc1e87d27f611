import { Trans, useLingui } from '@lingui/react/macro'
import { queryOf } from '@portal/client/query'
import type { CohortSummary } from '@portal/contracts/transfers/cohorts'
import { type BudgetOfApproval, parameterBudgets } from '@portal/contracts/transfers/parameter-budgets'
import { moneyText } from '@portal/i18n/format'
import { problemText } from '@portal/screens/problemText'
import { useHost, useQuery } from '@portal/sdk'
import { Skeleton } from '@portal/ui/Blank'
import { Notice } from '@portal/ui/Notice'
import { Failed } from '@portal/ui/Table'
import { BudgetBar } from '../../dialogs/BudgetBar.tsx'
import './words.ts'

/** What the approval would reserve of each year's budget, before it is pressed. */
export function ApprovalBudget({ cohort: { id } }: { cohort: CohortSummary }) {
  const { t } = useLingui()
  const { client } = useHost()
  const read = useQuery({
    ...queryOf(client, parameterBudgets.ofCohort, { params: { id } }),
    staleTime: 0,
  })
  return (
    <section className="stack close" aria-label={t`Budget`}>
      <h3>
        <Trans>Budget</Trans>
      </h3>
      {read.error && <Failed title={problemText(read.error)} onRetry={() => void read.refetch()} />}
      {!read.data && !read.error && (
        <div aria-busy="true">
          <Skeleton width="72%" />
        </div>
      )}
      {read.data?.years.map((year) => (
        <YearBudget key={year.year} budget={year} />
      ))}
    </section>
  )
}

function YearBudget({ budget }: { budget: BudgetOfApproval }) {
  const { t } = useLingui()
  const { year, needed } = budget
  const amount = budget.amount ?? 0
  const left = amount - budget.spent - budget.reserved - needed
  const [all, spent, reserved, needs, over, rest] = [
    amount,
    budget.spent,
    budget.reserved,
    needed,
    -left,
    left,
  ].map(moneyText)
  if (budget.amount === null)
    return (
      <p className="muted">
        <Trans>No budget is confirmed for {year}, so nothing is limited.</Trans>
      </p>
    )
  return (
    <div className="stack close">
      <BudgetBar budget={budget} needed={needed} />
      <p>
        <Trans>
          Of {all} for {year}, {spent} are spent and {reserved} reserved. This approval needs {needs}.
        </Trans>{' '}
        {left >= 0 && <Trans>{rest} are left then.</Trans>}
      </p>
      {left < 0 && (
        <Notice tone="bad" title={t`It would pass the budget of ${year} by ${over}.`}>
          <Trans>
            It will be refused. Have a higher budget proposed and confirmed under Transfer parameters, or
            reject the list.
          </Trans>
        </Notice>
      )}
    </div>
  )
}
