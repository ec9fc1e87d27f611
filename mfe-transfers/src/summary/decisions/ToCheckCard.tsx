import { Plural, Trans, useLingui } from '@lingui/react/macro'
import type { CohortSummary, ListFlag } from '@portal/contracts/transfers/cohorts'
import { formatNumber } from '@portal/i18n/format'
import { pageLink } from '@portal/screens/ListPage'
import { Skeleton } from '@portal/ui/Blank'
import { Card } from '@portal/ui/Card'
import { type Flag, Flags } from '@portal/ui/Notice'
import type { ReactNode } from 'react'
import { Link } from 'react-router-dom'
import { paths } from '../../paths.ts'
import { statusCounts } from '../plan.ts'
import { useFlagsToCheck } from './useListFlags.tsx'
import './words.ts'

type Props = {
  cohort: CohortSummary
  onRejectedRows: () => void
  onFlag: (flag: ListFlag) => void
  /** Narrows the master list below. */
  onFilter: (filter: { status?: string; shared?: string }) => void
}

/** What somebody should look at: doubtful recipients, rows left out, outcomes not known yet. */
export function ToCheckCard({ cohort, onRejectedRows, onFlag, onFilter }: Props) {
  const { t } = useLingui()
  const unusual = useFlagsToCheck(cohort, onFlag)
  const { overlaps, shared_numbers, shared_rows } = cohort.check
  const rejected = cohort.import.rows_rejected
  const { unknown } = statusCounts(cohort)
  const rows = formatNumber(shared_rows)
  const link = (words: ReactNode, onClick: () => void) => (
    <button type="button" className="link-button" onClick={onClick}>
      {words}
    </button>
  )
  const flags: Flag[] = overlaps.map(({ cohort_id, cohort_name, students }) => ({
    key: `overlap ${cohort_id}`,
    tone: 'waiting',
    title: <Plural value={students} one="# student in two cohorts" other="# students in two cohorts" />,
    text: t`Also in “${cohort_name}”, whose period overlaps.`,
    action: pageLink({ href: paths.summary(cohort_id), children: <Trans>See cohort</Trans> }),
  }))
  if (shared_numbers > 0) {
    flags.push({
      key: 'shared',
      tone: 'waiting',
      title: <Plural value={shared_numbers} one="# shared number" other="# shared numbers" />,
      text: t`More than one recipient with the same number.`,
      action: link(<Trans>Review {rows} rows</Trans>, () => onFilter({ shared: 'yes', status: '' })),
    })
  }
  flags.push(...unusual.flags)
  if (rejected > 0) {
    flags.push({
      key: 'rejected',
      tone: 'bad',
      title: <Plural value={rejected} one="# rejected row" other="# rejected rows" />,
      text: t`Left out at import, not paid.`,
      action: link(<Trans>See rows</Trans>, onRejectedRows),
    })
  }
  if (unknown > 0) {
    flags.push({
      key: 'unknown',
      tone: 'waiting',
      icon: 'question',
      title: <Plural value={unknown} one="# unknown outcome" other="# unknown outcomes" />,
      text: t`Its agency, a statement or evidence settles each of them; nothing is sent twice.`,
      action: link(<Trans>See payments</Trans>, () => onFilter({ status: 'unknown', shared: '' })),
    })
  }
  return (
    <Card
      title={t`To check`}
      actions={!unusual.loading && <span className="count">{formatNumber(flags.length)}</span>}
    >
      {flags.length > 0 && <Flags flags={flags} />}
      {unusual.loading && (
        <div className="card-body" aria-busy="true">
          <Skeleton width="72%" />
        </div>
      )}
      {flags.length === 0 && !unusual.loading && (
        <p className="card-body muted">
          <Trans>Nothing to check.</Trans>
        </p>
      )}
      {cohort.import.state === 'imported' && (
        <div className="card-body stack close">
          <Link to={paths.changes(cohort.id)}>
            <Trans>What changed since the earlier list</Trans>
          </Link>
          <Link to={paths.attendance(cohort.id)}>
            <Trans>Attendance of the girls’ classes</Trans>
          </Link>
          <Link to={paths.names(cohort.id)}>
            <Trans>Names at the agency</Trans>
          </Link>
        </div>
      )}
    </Card>
  )
}
