import { Trans, useLingui } from '@lingui/react/macro'
import { asProblem } from '@portal/client/problem'
import { attendance } from '@portal/contracts/attendance'
import { attendanceSheet } from '@portal/contracts/attendance/attendance.sheet'
import { formatDate, formatTime } from '@portal/i18n/format'
import { ImportButton } from '@portal/screens/ImportButton'
import { ListPage } from '@portal/screens/ListPage'
import { failureOf } from '@portal/screens/problemText'
import { usePoll } from '@portal/screens/usePoll'
import { Card } from '@portal/ui/Card'
import { Failed } from '@portal/ui/Table'
import { SilentSchools } from './SilentSchools.tsx'
import { Today } from './Today.tsx'
import { Week } from './Week.tsx'

/** How often attendance is refreshed (Calls 4.5). */
const every = 300_000

/** Who is at school today and this week, and which schools have not said so. */
export default function AttendancePage() {
  const { t } = useLingui()
  const { data, error, refetch, dataUpdatedAt } = usePoll(attendance.summary, { every })
  const updated = data && new Date(dataUpdatedAt).toISOString()
  const failure = error && failureOf(asProblem(error), refetch)
  return (
    <ListPage
      title={t`Attendance`}
      description={
        updated ? (
          <Trans>
            Figures of {formatDate(updated)} at {formatTime(updated)} UTC, refreshed every 5 minutes.
          </Trans>
        ) : (
          <Trans>What the schools have reported, refreshed every 5 minutes.</Trans>
        )
      }
      actions={<ImportButton sheet={attendanceSheet} permission="sync.manage" to="/home/attendance/import" />}
    >
      {failure && !data ? (
        <Card>
          <Failed {...failure} />
        </Card>
      ) : (
        <>
          <Today summary={data} />
          <Week summary={data} />
        </>
      )}
      <SilentSchools />
    </ListPage>
  )
}
