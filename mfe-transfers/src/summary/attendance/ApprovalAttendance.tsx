import { Trans, useLingui } from '@lingui/react/macro'
import { queryOf } from '@portal/client/query'
import { cohortAttendance } from '@portal/contracts/transfers/cohort-attendance'
import type { CohortSummary } from '@portal/contracts/transfers/cohorts'
import { problemText } from '@portal/screens/problemText'
import { useHost, useQuery } from '@portal/sdk'
import { Skeleton } from '@portal/ui/Blank'
import { Failed, Table } from '@portal/ui/Table'
import { Link } from 'react-router-dom'
import { paths } from '../../paths.ts'
import { AttendanceWords } from './AttendanceWords.tsx'
import { useLevelColumns } from './useLevelColumns.tsx'
import './words.ts'

/** How regularly the girls' classes were reported and attended, and the five class levels to look at first. */
export function ApprovalAttendance({ cohort: { id } }: { cohort: CohortSummary }) {
  const { t } = useLingui()
  const { client } = useHost()
  const columns = useLevelColumns(false).filter(({ key }) => key !== 'last_report')
  const read = useQuery(queryOf(client, cohortAttendance.list, { params: { id }, query: { per_page: 5 } }))
  const found = read.data
  const heard = found && (found.attendance.school_days > 0 || found.attendance.present !== null)
  return (
    <section className="stack close" aria-label={t`Attendance`}>
      <h3>
        <Trans>Attendance</Trans>
      </h3>
      {read.error && <Failed title={problemText(read.error)} onRetry={() => void read.refetch()} />}
      {!found && !read.error && (
        <div aria-busy="true">
          <Skeleton width="72%" />
        </div>
      )}
      {found && (
        <p className={heard ? undefined : 'muted'}>
          <AttendanceWords of={found.attendance} />
        </p>
      )}
      {heard && (
        <Table
          compact
          label={t`Attendance`}
          rows={found.levels.data}
          rowKey={(row) => row.id}
          columns={columns}
          empty={t`No data available`}
        />
      )}
      {heard && (
        <p>
          <Link to={paths.attendance(id)}>
            <Trans>See every school</Trans>
          </Link>
        </p>
      )}
    </section>
  )
}
