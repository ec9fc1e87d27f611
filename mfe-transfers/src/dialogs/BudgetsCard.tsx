import { Trans, useLingui } from '@lingui/react/macro'
import { queryOf } from '@portal/client/query'
import { type ParameterBudget, parameterBudgets } from '@portal/contracts/transfers/parameter-budgets'
import { budgetSteps } from '@portal/contracts/transfers/steps/settings'
import { lazy } from '@portal/screens/lazy'
import { problemText } from '@portal/screens/problemText'
import { useDialog } from '@portal/screens/useDialog'
import { useCan, useHost, useQuery } from '@portal/sdk'
import { Card } from '@portal/ui/Card'
import type { MenuItem } from '@portal/ui/Menu'
import { Money } from '@portal/ui/Money'
import { type Column, Failed, Table } from '@portal/ui/Table'
import { fullName } from '../words.tsx'
import { BudgetBar } from './BudgetBar.tsx'
import { NextStep } from './NextStep.tsx'
import './words.ts'

const ProposeBudgetDialog = lazy(() => import('./ProposeBudgetDialog.tsx'), 'ProposeBudgetDialog')
const DecideBudgetDialog = lazy(() => import('./DecideBudgetDialog.tsx'), 'DecideBudgetDialog')
const WithdrawDialog = lazy(() => import('./WithdrawDialog.tsx'), 'WithdrawDialog')

type Deciding = { budget: ParameterBudget; action: 'confirmed' | 'refused' }

/** The budgets of this year and those to come, with what of them is spent and reserved. */
export function BudgetsCard() {
  const { t } = useLingui()
  const can = useCan()
  const { client } = useHost()
  const proposing = useDialog<ParameterBudget>()
  const deciding = useDialog<Deciding>()
  const withdrawing = useDialog<ParameterBudget>()
  const read = useQuery(queryOf(client, parameterBudgets.list, {}))
  const columns: Column<ParameterBudget>[] = [
    {
      key: 'parameter',
      header: t`Parameter`,
      phone: 'title',
      wrap: true,
      cell: ({ parameter, proposed }) => (
        <div>
          {parameter}
          {proposed && <Waiting proposed={proposed} />}
        </div>
      ),
    },
    { key: 'year', header: t`Year`, phone: 'note', cell: ({ year }) => String(year) },
    {
      key: 'amount',
      header: t`Budget`,
      align: 'right',
      phone: 'main',
      cell: ({ amount }) =>
        amount === null ? <span className="muted">{t`Not limited`}</span> : <Money amount={amount} />,
    },
    { key: 'spent', header: t`Spent`, align: 'right', cell: ({ spent }) => <Money amount={spent} /> },
    {
      key: 'reserved',
      header: t`Reserved`,
      align: 'right',
      cell: ({ reserved }) => <Money amount={reserved} />,
    },
    {
      key: 'share',
      header: t`Share used`,
      gap: true,
      width: '18%',
      phone: 'note',
      cell: (budget) => (
        <div style={{ minWidth: 120 }}>
          <BudgetBar budget={budget} />
        </div>
      ),
    },
  ]
  const menuOf = (budget: ParameterBudget): MenuItem[] => [
    ...(budget.proposed && can('cohorts.approve')
      ? ([
          {
            label: t`Confirm the budget`,
            icon: 'good',
            onSelect: () => deciding.open({ budget, action: 'confirmed' }),
          },
          {
            label: t`Refuse the budget`,
            icon: 'x',
            onSelect: () => deciding.open({ budget, action: 'refused' }),
          },
        ] satisfies MenuItem[])
      : []),
    ...(budget.proposed?.own && can('parameters.create')
      ? ([
          { label: t`Withdraw the proposal`, icon: 'back', onSelect: () => withdrawing.open(budget) },
        ] satisfies MenuItem[])
      : []),
    ...(!budget.proposed && can('parameters.create')
      ? ([
          { label: t`Propose a budget`, icon: 'pencil', onSelect: () => proposing.open(budget) },
        ] satisfies MenuItem[])
      : []),
  ]
  return (
    <Card
      title={t`Budgets`}
      note={t`by the year in which a round is due, fees included`}
      text={t`Reserved is what approved rounds will still cost. An approval that would pass a budget is refused.`}
    >
      {read.error ? (
        <Failed title={problemText(read.error)} onRetry={() => void read.refetch()} />
      ) : (
        <Table
          compact
          label={t`Budgets`}
          columns={columns}
          rows={read.data?.budgets}
          rowKey={({ parameter_id, year }) => `${parameter_id} ${year}`}
          rowName={({ parameter, year }) => `${parameter}, ${year}`}
          rowActions={can('parameters.create') || can('cohorts.approve') ? menuOf : undefined}
          empty={t`No data available`}
          expected={3}
        />
      )}
      {proposing.item && <ProposeBudgetDialog budget={proposing.item} onClose={proposing.close} />}
      {withdrawing.item?.proposed && (
        <WithdrawDialog
          endpoint={parameterBudgets.withdraw}
          id={withdrawing.item.proposed.id}
          of={`${withdrawing.item.parameter} · ${withdrawing.item.year}`}
          refetches={[parameterBudgets.list, parameterBudgets.ofCohort]}
          onClose={withdrawing.close}
        />
      )}
      {deciding.item && <DecideBudgetDialog {...deciding.item} onClose={deciding.close} />}
    </Card>
  )
}

function Waiting({ proposed: { amount, user } }: { proposed: NonNullable<ParameterBudget['proposed']> }) {
  const who = fullName(user)
  return (
    <div className="small muted">
      <Trans>
        <Money amount={amount} /> proposed by {who}, waits for a second person
      </Trans>
      {'. '}
      <NextStep of={budgetSteps} state="proposed" onlyNext />
    </div>
  )
}
