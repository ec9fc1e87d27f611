import { Plural, Trans, useLingui } from '@lingui/react/macro'
import { queryOf } from '@portal/client/query'
import { type ChangeKind, cohortChanges } from '@portal/contracts/transfers/cohort-changes'
import type { CohortSummary } from '@portal/contracts/transfers/cohorts'
import { problemText } from '@portal/screens/problemText'
import { useHost, useQuery } from '@portal/sdk'
import { Skeleton } from '@portal/ui/Blank'
import { type Total, Totals } from '@portal/ui/Dialog'
import { Money } from '@portal/ui/Money'
import { Failed } from '@portal/ui/Table'
import type { ReactNode } from 'react'
import { Link } from 'react-router-dom'
import { paths } from '../../paths.ts'
import './words.ts'

const labels: Record<ChangeKind, (count: number) => ReactNode> = {
  joined: (n) => <Plural value={n} one="# new girl" other="# new girls" />,
  left: (n) => <Plural value={n} one="# girl left" other="# girls left" />,
  amount: (n) => <Plural value={n} one="# amount changed" other="# amounts changed" />,
  number: (n) => (
    <Plural value={n} one="# number changed, paid to it" other="# numbers changed, paid to them" />
  ),
  name: (n) => <Plural value={n} one="# name changed, paid to it" other="# names changed, paid to them" />,
  held: (n) => <Plural value={n} one="# girl on hold, withheld" other="# girls on hold, withheld" />,
  owed: (n) => (
    <Plural value={n} one="# girl is still owed from before" other="# girls are still owed from before" />
  ),
}

/** What changed since the earlier list, in counts and francs, with the way to its rows. */
export function ApprovalChanges({ cohort: { id } }: { cohort: CohortSummary }) {
  const { t } = useLingui()
  const { client } = useHost()
  const read = useQuery(queryOf(client, cohortChanges.list, { params: { id }, query: { per_page: 1 } }))
  const found = read.data?.comparison
  const earlier = found?.compared_with
  const kinds: Total[] = (found?.kinds ?? [])
    .filter(({ count }) => count > 0)
    .map(({ kind, count, amount }) => ({
      key: kind,
      label: labels[kind](count),
      value: <Money amount={amount} />,
    }))
  return (
    <section className="stack close" aria-label={t`Changes`}>
      <h3>{earlier ? <Trans>Since “{earlier.name}”</Trans> : <Trans>Since the earlier list</Trans>}</h3>
      {read.error && <Failed title={problemText(read.error)} onRetry={() => void read.refetch()} />}
      {!found && !read.error && (
        <div aria-busy="true">
          <Skeleton width="72%" />
        </div>
      )}
      {found && !earlier && (
        <p className="muted">
          <Trans>No earlier approved list of this parameter has these girls: all are new.</Trans>
        </p>
      )}
      {found && earlier && (
        <Totals
          label={t`Changes`}
          rows={[
            { key: 'before', label: t`Its amount`, value: <Money amount={found.amount_before} /> },
            ...kinds,
          ]}
        />
      )}
      {found && (
        <p>
          <Link to={paths.changes(id)}>
            <Trans>See every change</Trans>
          </Link>
        </p>
      )}
    </section>
  )
}
