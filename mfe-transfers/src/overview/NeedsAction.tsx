import { Plural, Trans, useLingui } from '@lingui/react/macro'
import type { Problem } from '@portal/client/problem'
import { queryOf } from '@portal/client/query'
import type { AnswerOf } from '@portal/contracts/endpoint'
import type { Page } from '@portal/contracts/fields'
import type { dashboard } from '@portal/contracts/home/dashboard'
import { transfers } from '@portal/contracts/transfers'
import type { Cohort, CohortStats } from '@portal/contracts/transfers/cohorts'
import { paymentExceptions } from '@portal/contracts/transfers/payment-exceptions'
import { recipientCorrections } from '@portal/contracts/transfers/recipient-corrections'
import { failureOf } from '@portal/screens/problemText'
import { useHost, useQuery } from '@portal/sdk'
import { Skeleton } from '@portal/ui/Blank'
import { Card } from '@portal/ui/Card'
import { Money } from '@portal/ui/Money'
import { type Flag, Flags } from '@portal/ui/Notice'
import { Failed } from '@portal/ui/Table'
import { Link } from 'react-router-dom'
import { paths } from '../paths.ts'

/** How many cohorts are called by their names. */
const named = 3

type Figures = AnswerOf<typeof dashboard.read>
type Waits = Figures['waits']
type Props = {
  stats: CohortStats
  /** The read that also says what this person may act on. */
  figures: { data: Figures | undefined; error: Problem | null; refetch: () => unknown }
}

/** What waits for a person: cohorts to decide or in error, and money that was refused or whose outcome is unknown. */
export function NeedsAction({ stats, figures }: Props) {
  const { t } = useLingui()
  const { client } = useHost()
  const cohortsIn = (status: 'pending' | 'error') =>
    queryOf(client, transfers.cohorts, { query: { status, per_page: named } })
  const waiting = useQuery(cohortsIn('pending'))
  const failed = useQuery(cohortsIn('error'))
  const corrections = useQuery(queryOf(client, recipientCorrections.list, { query: { per_page: 1 } }))
  const answers = useQuery(queryOf(client, paymentExceptions.list, { query: { state: 'open', per_page: 1 } }))
  const unread = [waiting, failed, corrections, answers, figures].filter(({ data }) => !data)
  const failure = failureOf(unread.find(({ error }) => error)?.error ?? null, () => {
    for (const read of unread) void read.refetch()
  })
  const flags: Flag[] = []
  if (failed.data && failed.data.cohorts.total > 0) {
    flags.push({
      key: 'error',
      tone: 'bad',
      title: (
        <Plural
          value={failed.data.cohorts.total}
          one="# cohort in payment error"
          other="# cohorts in payment error"
        />
      ),
      text: namesOf(failed.data.cohorts),
      action: <CohortsLink cohorts={failed.data.cohorts} status="error" />,
    })
  }
  if (waiting.data && waiting.data.cohorts.total > 0) {
    flags.push({
      key: 'pending',
      tone: 'waiting',
      icon: 'clock',
      title: (
        <Plural value={waiting.data.cohorts.total} one="# cohort to approve" other="# cohorts to approve" />
      ),
      text: namesOf(waiting.data.cohorts),
      action: <CohortsLink cohorts={waiting.data.cohorts} status="pending" />,
    })
  }
  const [oldest] = corrections.data?.corrections.data ?? []
  if (corrections.data && oldest) {
    flags.push({
      key: 'corrections',
      tone: 'waiting',
      icon: 'clock',
      title: (
        <Plural
          value={corrections.data.corrections.total}
          one="# correction of a recipient to approve"
          other="# corrections of recipients to approve"
        />
      ),
      text: oldest.cohort_name,
      action: <Link to={paths.payroll(oldest.payroll_group_id)}>{t`See the oldest`}</Link>,
    })
  }
  const doubts = answers.data?.exceptions.total ?? 0
  if (doubts > 0) {
    flags.push({
      key: 'answers',
      tone: 'waiting',
      title: <Plural value={doubts} one="# answer to look at" other="# answers to look at" />,
      text: t`An agency answered something that does not agree with our order.`,
      action: <Link to={`${paths.exceptions}?state=open`}>{t`See all of them`}</Link>,
    })
  }
  flags.push(...waitingFlags(figures.data?.waits))
  if (stats.total_amount_unknown > 0) {
    flags.push({
      key: 'unknown',
      tone: 'waiting',
      title: (
        <Trans>
          <Money amount={stats.total_amount_unknown} /> unknown
        </Trans>
      ),
      text: t`The agency has not said yet whether it paid.`,
      action: <Link to={`${paths.reconciliations}?sort=-total_amount_pending`}>{t`See by cohort`}</Link>,
    })
  }
  if (stats.total_amount_arrears > 0) {
    flags.push({
      key: 'arrears',
      tone: 'info',
      title: (
        <Trans>
          <Money amount={stats.total_amount_arrears} /> in arrears
        </Trans>
      ),
      text: t`The agency refused these payments. Each is made again once the reason is gone, its recipient is corrected, or it is written off.`,
      action: <Link to={paths.arrears}>{t`See by girl`}</Link>,
    })
  }
  const known = unread.length === 0
  return (
    <Card title={t`What needs action`}>
      {flags.length > 0 && <Flags flags={flags} />}
      {!known && (
        <div className="card-body">
          {failure ? <Failed {...failure} /> : <Skeleton width="60%" height={24} />}
        </div>
      )}
      {known && flags.length === 0 && <p className="card-body muted">{t`Nothing waits for anybody.`}</p>}
    </Card>
  )
}

/** What only whoever may act on it is told of. */
function waitingFlags({ not_progressing, statements, holds }: Waits = nothing): Flag[] {
  const flags: Flag[] = []
  if (not_progressing.length > 0)
    flags.push({
      key: 'stalled',
      tone: 'bad',
      title: (
        <Plural
          value={not_progressing.length}
          one="# agency is not progressing"
          other="# agencies are not progressing"
        />
      ),
      text: not_progressing.map(({ name }) => name).join(', '),
      action: (
        <Link to={`${paths.reconciliations}?sort=-total_amount_pending`}>
          <Trans>See by cohort</Trans>
        </Link>
      ),
    })
  if (statements > 0)
    flags.push({
      key: 'statements',
      tone: 'waiting',
      icon: 'clock',
      title: <Plural value={statements} one="# statement to sign" other="# statements to sign" />,
      text: <Trans>All differences are resolved.</Trans>,
      action: <SeeAll to={`${paths.statements}?state=open`} />,
    })
  if (holds > 0)
    flags.push({
      key: 'holds',
      tone: 'waiting',
      icon: 'stop',
      title: <Plural value={holds} one="# girl on hold" other="# girls on hold" />,
      text: <Trans>Nobody is paid for her until she is released.</Trans>,
      action: <SeeAll to={`${paths.payeeHolds}?state=open`} />,
    })
  return flags
}

const nothing: Waits = { not_progressing: [], statements: 0, holds: 0 }

const SeeAll = ({ to }: { to: string }) => (
  <Link to={to}>
    <Trans>See all of them</Trans>
  </Link>
)

function namesOf({ data, total }: Page<Cohort>): string {
  const names = data.map(({ name }) => name).join(', ')
  return total > data.length ? `${names} …` : names
}

function CohortsLink({ cohorts, status }: { cohorts: Page<Cohort>; status: 'pending' | 'error' }) {
  const { t } = useLingui()
  const [only] = cohorts.data
  if (cohorts.total === 1 && only) return <Link to={paths.summary(only.id)}>{t`See cohort`}</Link>
  return <Link to={`${paths.cohorts}?status=${status}`}>{t`See all of them`}</Link>
}
