import type { AttendanceSummary } from '@portal/contracts/attendance'
import { currentLocale } from '@portal/i18n/locale'

/** A day of the week's summary. */
export type Day = AttendanceSummary['week_summary'][number]

const date = (iso: string) => new Date(`${iso}T00:00:00Z`)

/** `Mon`, `lun.`; in full where there is room. */
export const weekday = (iso: string, form: 'short' | 'long' = 'short'): string =>
  new Intl.DateTimeFormat(currentLocale(), { weekday: form, timeZone: 'UTC' }).format(date(iso))

/** Whether anything was reported for it. */
export const isReported = (day: Day): boolean =>
  day.teacher_attendance !== null || day.student_attendance !== null

/** A weekend day on which no school reported is no gap. */
const isSchoolDay = (day: Day): boolean => isReported(day) || date(day.date).getUTCDay() % 6 !== 0

/** How many days the week has had, today included. */
export const daysSoFar = (): number => ((new Date().getUTCDay() + 6) % 7) + 1

/** The days of a school week, those to come without figures: the drawing keeps its width from Monday on. */
export function wholeWeek(monday: string, days: readonly Day[]): Day[] {
  const week = days.filter(isSchoolDay)
  for (let ahead = days.length; ahead < 5; ahead++) {
    const at = new Date(date(monday).getTime() + ahead * 86_400_000)
    week.push({
      date: at.toISOString().slice(0, 10),
      teacher_attendance: null,
      student_attendance: null,
      absenteeism_rate: null,
      reported_schools: 0,
    })
  }
  return week
}
