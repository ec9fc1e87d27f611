import { Trans, useLingui } from '@lingui/react/macro'
import type { AttendanceSummary } from '@portal/contracts/attendance'
import { formatDate, formatPercent } from '@portal/i18n/format'
import { Skeleton } from '@portal/ui/Blank'
import { Card } from '@portal/ui/Card'
import { Count } from '@portal/ui/Money'
import type { ReactNode } from 'react'

/** Today's counts, each beside what it is read against. */
export function Today({ summary }: { summary: AttendanceSummary | undefined }) {
  const { t } = useLingui()
  const day = formatDate(summary?.current_week.to ?? new Date().toISOString())
  const silent = summary?.total_reports === 0
  return (
    <Card
      title={<Trans>School attendance report for today</Trans>}
      note={day}
      text={
        silent ? (
          <Trans>No school has reported for today yet.</Trans>
        ) : (
          <Trans>What has come in so far.</Trans>
        )
      }
    >
      <dl className="figures">
        <CountOf
          label={t`Reported schools`}
          count={summary?.reported_schools}
          note={summary && <Share of={summary.reported_schools} all={summary.schools} />}
        />
        <CountOf label={t`Teachers`} count={summary?.total_teachers} note={t`present today`} />
        <CountOf label={t`Learners`} count={summary?.total_students} note={t`present today`} />
        <CountOf label={t`Total reports`} count={summary?.total_reports} note={t`each counted once`} />
      </dl>
    </Card>
  )
}

function Share({ of, all }: { of: number; all: number }) {
  const share = formatPercent(all > 0 ? of / all : 0)
  return (
    <Trans>
      of <Count value={all} /> schools, {share}
    </Trans>
  )
}

type CountProps = { label: string; count: number | undefined; note: ReactNode }

const CountOf = ({ label, count, note }: CountProps) => (
  <div>
    <dt>{label}</dt>
    <dd className="figure" style={{ minHeight: 32 }}>
      {count === undefined ? <Skeleton width={72} height={28} /> : <Count value={count} />}
    </dd>
    <dd className="note" style={{ minHeight: 20 }}>
      {note ?? <Skeleton width={120} />}
    </dd>
  </div>
)
