import { Plural, Trans, useLingui } from '@lingui/react/macro'
import type { AttendanceSummary } from '@portal/contracts/attendance'
import { formatDate, formatPercent } from '@portal/i18n/format'
import { Blank } from '@portal/ui/Blank'
import { Card } from '@portal/ui/Card'
import { ColumnChart } from '@portal/ui/ColumnChart'
import { DateText, Nothing } from '@portal/ui/Money'
import { type Column, Table } from '@portal/ui/Table'
import { type Day, daysSoFar, isReported, weekday, wholeWeek } from './days.ts'
import '@portal/ui/chart.css'

const percent = (value: number) => formatPercent(value / 100, 1)
const Percent = ({ of }: { of: number | null }) => (of === null ? <Nothing /> : percent(of))

/** The current week, drawn and as a table. */
export function Week({ summary }: { summary: AttendanceSummary | undefined }) {
  const { t } = useLingui()
  const days = summary?.week_summary
  const columns: Column<Day>[] = [
    {
      key: 'date',
      header: t`Date`,
      cell: (day) => (
        <span className="lines">
          <span>
            <DateText iso={day.date} /> <span className="muted">{weekday(day.date)}</span>
          </span>
          <span className="small muted">
            <Plural value={day.reported_schools} one="# school" other="# schools" />
          </span>
        </span>
      ),
    },
    {
      key: 'teacher_attendance',
      header: t`Teachers attendance`,
      align: 'right',
      wrap: true,
      cell: (day) => <Percent of={day.teacher_attendance} />,
    },
    {
      key: 'student_attendance',
      header: t`Learners attendance`,
      align: 'right',
      wrap: true,
      cell: (day) => <Percent of={day.student_attendance} />,
    },
    {
      key: 'absenteeism_rate',
      header: t`Learner absenteeism`,
      align: 'right',
      wrap: true,
      cell: (day) => <Percent of={day.absenteeism_rate} />,
    },
  ]
  const since = summary && formatDate(summary.current_week.from)
  return (
    <Card
      title={<Trans>This week</Trans>}
      text={since ? <Trans>Since Monday {since}.</Trans> : <Trans>Since Monday.</Trans>}
    >
      {days && !days.some(isReported) ? (
        <Blank
          title={t`Data not available yet.`}
          text={t`No school has reported this week. Figures appear here as soon as the first message comes in.`}
        />
      ) : (
        <div className="beside">
          {summary ? (
            <WeekChart monday={summary.current_week.from} days={summary.week_summary} />
          ) : (
            <div className="columns waiting" />
          )}
          <Table
            label={t`This week`}
            columns={columns}
            rows={days}
            rowKey={(day) => day.date}
            empty={t`Data not available yet.`}
            expected={daysSoFar()}
          />
        </div>
      )}
    </Card>
  )
}

function WeekChart({ monday, days }: { monday: string; days: readonly Day[] }) {
  const { t } = useLingui()
  const week = wholeWeek(monday, days)
  const reported = week.filter(isReported).map((day) => {
    const [name, teachers, learners] = [
      weekday(day.date, 'long'),
      day.teacher_attendance === null ? '–' : percent(day.teacher_attendance),
      day.student_attendance === null ? '–' : percent(day.student_attendance),
    ]
    return t`${name}: teachers ${teachers}, learners ${learners}`
  })
  const figures = reported.join('; ')
  const part = (value: number | null) => (value === null ? null : value / 100)
  return (
    <ColumnChart
      label={t`Attendance of this week. ${figures}`}
      series={[
        { key: 'teachers', label: t`Teachers`, tone: 'accent' },
        { key: 'learners', label: t`Learners`, tone: 'warm' },
      ]}
      groups={week.map((day) => ({
        key: day.date,
        label: (
          <>
            <span>{weekday(day.date)}</span> <span>{formatDate(day.date).slice(0, 5)}</span>
          </>
        ),
        values: [part(day.teacher_attendance), part(day.student_attendance)],
      }))}
      format={(value) => formatPercent(value)}
    />
  )
}
