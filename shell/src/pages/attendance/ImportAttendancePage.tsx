import { useLingui } from '@lingui/react/macro'
import { attendance } from '@portal/contracts/attendance'
import { attendanceSheet } from '@portal/contracts/attendance/attendance.sheet'
import { Workbench } from '@portal/workbench/Workbench'

const refetches = [attendance.summary, attendance.silentSchools]

/** Attendance out of an Excel file, for schools whose messages do not come through. */
export default function ImportAttendancePage() {
  const { t } = useLingui()
  return (
    <Workbench
      kind="attendance"
      sheet={attendanceSheet}
      endpoint={attendance.import}
      title={t`Import attendance`}
      back={{ to: '/home/attendance', label: t`Attendance` }}
      refetches={refetches}
    />
  )
}
