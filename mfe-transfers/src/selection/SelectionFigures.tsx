import { Plural, Trans, useLingui } from '@lingui/react/macro'
import { NotReadAgain } from '@portal/screens/NotReadAgain'
import { Card } from '@portal/ui/Card'
import { Count, DateText, Money } from '@portal/ui/Money'
import { Notice } from '@portal/ui/Notice'
import { type Column, Table } from '@portal/ui/Table'
import { Link } from 'react-router-dom'
import { paths } from '../paths.ts'
import { useActiveParameters } from '../useActiveParameters.tsx'
import { Choice } from './Choice.tsx'
import { reasonName } from './reason-words.ts'
import type { SelectionCount, SelectionState } from './useSelection.tsx'

type Step = { key: string; label: string; girls: number; out: number | null }

/** How many girls remain at each step, what a round costs, and what has changed since the selection was used last. */
export function SelectionFigures({ count, outdated, value, choose }: SelectionState) {
  const { t } = useLingui()
  const parameters = useActiveParameters()
  const steps =
    count.data &&
    stepsOf(count.data, t`On the list after the conditions`, [
      t`Girls in the country`,
      t`In the place`,
      t`In the schools`,
      t`In the class levels`,
    ])
  const columns: Column<Step>[] = [
    { key: 'label', header: t`Step`, wrap: true, phone: 'title', cell: ({ label }) => label },
    {
      key: 'girls',
      header: t`Girls`,
      align: 'right',
      cell: ({ girls }) => <Count value={girls} />,
    },
    {
      key: 'out',
      header: t`Left out`,
      align: 'right',
      cell: ({ out }) => (out === null ? '' : <Count value={out} />),
    },
  ]
  const { data, error } = count
  const now = outdated ? undefined : data
  return (
    <Card title={t`Who remains`}>
      <NotReadAgain problem={error} onRetry={count.refetch} />
      <Table
        compact
        label={t`Who remains`}
        columns={columns}
        rows={error && !data ? [] : steps}
        rowKey={({ key }) => key}
        empty={t`No data available`}
        expected={5}
        outdated={outdated}
      />
      <div className="card-body fields">
        <div className="fields pair">
          <Choice
            label={t`Transfer parameter`}
            all={t`Choose…`}
            options={(parameters.data ?? []).map(({ id, name }) => ({ value: String(id), label: name }))}
            value={value('transfer_parameter_id')}
            onChange={(chosen) => choose({ transfer_parameter_id: chosen })}
          />
        </div>
        <p aria-live="polite" aria-busy={outdated || undefined}>
          {now && (
            <b>
              <Plural value={now.steps.conditions} one="# girl" other="# girls" />
            </b>
          )}
          {now?.total && (
            <>
              {': '}
              <Trans>
                <Money amount={now.total.amount} /> per round, and <Money amount={now.total.fees} /> of fees
              </Trans>
            </>
          )}
        </p>
        {now?.last && <SinceLast last={now.last} />}
      </div>
    </Card>
  )
}

function stepsOf({ steps, left_out }: SelectionCount, end: string, labels: string[]): Step[] {
  const counts = [steps.country, steps.place, steps.schools, steps.levels]
  const first = counts.map((girls, at) => ({
    key: String(at),
    label: labels[at] ?? '',
    girls,
    out: at === 0 ? null : (counts[at - 1] ?? 0) - girls,
  }))
  let left = steps.levels
  // Students who are not recorded as girls are not counted in any step.
  const conditions = left_out
    .filter(({ reason }) => reason !== 'not_a_girl')
    .map(({ reason, count }) => {
      left -= count
      return { key: reason, label: reasonName(reason), girls: left, out: count }
    })
  return [...first, ...conditions, { key: 'end', label: end, girls: steps.conditions, out: null }]
}

/** What has changed since the selection was a cohort last. */
function SinceLast({ last }: { last: NonNullable<SelectionCount['last']> }) {
  return (
    <Notice tone="info">
      <Trans>
        This selection was last used for <Link to={paths.summary(last.cohort_id)}>{last.name}</Link> on{' '}
        <DateText iso={last.created_at} />. Since then: <b>+{last.added}</b>, <b>−{last.gone}</b> girls.
      </Trans>
    </Notice>
  )
}
