import { Trans, useLingui } from '@lingui/react/macro'
import { attendanceStates, cohortAttendance } from '@portal/contracts/transfers/cohort-attendance'
import { DataTable } from '@portal/screens/DataTable'
import { ExportButton } from '@portal/screens/ExportButton'
import { useList } from '@portal/screens/useList'
import { useParams } from 'react-router-dom'
import { PageState } from '../../PageState.tsx'
import { paths } from '../../paths.ts'
import { TransferPage } from '../../TransferPage.tsx'
import { AttendanceWords } from './AttendanceWords.tsx'
import { useAttendanceStates, useLevelColumns } from './useLevelColumns.tsx'
import './words.ts'

/** The attendance of the classes of a list by school and class level. What to look at comes first. */
export default function AttendancePage() {
  const { t } = useLingui()
  const id = Number(useParams().id)
  const list = useList(cohortAttendance.list, 'levels', { params: { id } })
  const columns = useLevelColumns(true)
  const states = useAttendanceStates()
  const back = { to: paths.summary(id), label: list.answer?.name ?? t`Cohort` }
  if (!list.answer) return <PageState title={t`Attendance`} back={back} list={list} />
  const { name, attendance } = list.answer
  return (
    <TransferPage
      title={t`Attendance on “${name}”`}
      description={<AttendanceWords of={attendance} />}
      back={back}
      actions={
        <ExportButton endpoint={cohortAttendance.export} body={{ cohort_id: id }} permission="cohorts.export">
          <Trans>Export attendance (Excel)</Trans>
        </ExportButton>
      }
    >
      <DataTable
        label={t`Attendance`}
        list={list}
        columns={columns}
        empty={t`This list has no girls.`}
        search={t`School, code, CAP or class level`}
        filters={[
          {
            name: 'state',
            as: 'select',
            label: t`Reports`,
            all: t`Every class level`,
            options: attendanceStates.map((state) => ({ value: state, label: states[state] })),
          },
        ]}
        rowName={({ school_name, class_level }) => `${school_name} ${class_level}`.trim()}
      />
    </TransferPage>
  )
}
