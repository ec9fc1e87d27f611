import { useLingui } from '@lingui/react/macro'
import type { AttendanceState, LevelAttendance } from '@portal/contracts/transfers/cohort-attendance'
import { Count, DateText, Nothing } from '@portal/ui/Money'
import { Share } from '@portal/ui/Progress'
import type { Column } from '@portal/ui/Table'

/** The words of what is known of a class level. */
export function useAttendanceStates(): Record<AttendanceState, string> {
  const { t } = useLingui()
  return {
    silent: t`School reported nothing`,
    unknown: t`Class not reported`,
    reported: t`Reported`,
  }
}

/** A percentage, drawn. On a phone a note is as narrow as its text, and a bar has none. */
const Drawn = ({ percent }: { percent: number | null }) =>
  percent === null ? (
    <Nothing />
  ) : (
    <div style={{ minWidth: 120 }}>
      <Share value={percent} of={100} share={percent / 100} />
    </div>
  )

/** A school and class level with the girls there, the days reported and who was present. */
export function useLevelColumns(sortable: boolean): Column<LevelAttendance>[] {
  const { t } = useLingui()
  const states = useAttendanceStates()
  return [
    {
      key: 'school_name',
      header: t`School and class level`,
      sortable,
      wrap: true,
      phone: 'title',
      cell: ({ school_name, class_level }) =>
        class_level ? t`${school_name}, level ${class_level}` : school_name,
    },
    {
      key: 'girls',
      header: t`Girls`,
      align: 'right',
      sortable,
      cell: ({ girls }) => <Count value={girls} />,
    },
    {
      key: 'reported',
      header: t`Days reported`,
      gap: true,
      sortable,
      cell: ({ reported }) => <Drawn percent={reported} />,
    },
    {
      key: 'present',
      header: t`Present`,
      sortable,
      phone: 'note',
      cell: ({ state, present }) =>
        state === 'reported' ? <Drawn percent={present} /> : <span className="muted">{states[state]}</span>,
    },
    {
      key: 'last_report',
      header: t`Last report`,
      sortable,
      cell: ({ last_report }) => (last_report ? <DateText iso={last_report} /> : t`Never`),
    },
  ]
}
