import type { Locale, Text } from '@portal/contracts/sentences'
import type { AttendanceState, LevelAttendance } from '@portal/contracts/transfers/cohort-attendance'
import { writeWorkbook } from '../../excel/write.ts'
import { registerExport } from '../../kit/jobs/exports.ts'
import type { ListColumn } from '../list-export.ts'
import { readLevels } from './cohort-attendance.service.ts'

export const cohortAttendanceExport = 'cohort-attendance'

const states: Record<AttendanceState, Text> = {
  silent: { en: 'School reported nothing', fr: 'Établissement sans rapport' },
  unknown: { en: 'Class not reported', fr: 'Classe sans rapport' },
  reported: { en: 'Reported', fr: 'Rapports reçus' },
}

const columns: ListColumn<LevelAttendance>[] = [
  {
    key: 'school',
    kind: 'text',
    label: { en: 'School', fr: 'Établissement' },
    value: (row) => row.school_name,
  },
  {
    key: 'code',
    kind: 'text',
    label: { en: 'School code', fr: 'Code de l’établissement' },
    value: (row) => row.admin_code,
  },
  { key: 'cap', kind: 'text', label: { en: 'CAP', fr: 'CAP' }, value: (row) => row.admin_district_as_cap },
  {
    key: 'level',
    kind: 'text',
    label: { en: 'Class level', fr: 'Niveau' },
    value: (row) => row.class_level,
  },
  {
    key: 'state',
    kind: 'text',
    label: { en: 'Attendance', fr: 'Présence' },
    value: (row, locale: Locale) => states[row.state][locale],
  },
  {
    key: 'girls',
    kind: 'whole',
    label: { en: 'Girls of the list', fr: 'Élèves de la liste' },
    value: (row) => row.girls,
  },
  {
    key: 'unknown',
    kind: 'whole',
    label: { en: 'Girls whose class was not reported', fr: 'Élèves dont la classe est sans rapport' },
    value: (row) => row.unknown,
  },
  {
    key: 'reported',
    // Shares have a decimal, as on the page; `whole` would show 87.5 as 88.
    kind: 'money',
    label: { en: 'School days reported (%)', fr: 'Jours de classe avec rapport (%)' },
    value: (row) => row.reported,
  },
  {
    key: 'present',
    kind: 'money',
    label: { en: 'Learners present (%)', fr: 'Élèves présents (%)' },
    value: (row) => row.present,
  },
  {
    key: 'last_report',
    kind: 'text',
    label: { en: 'Last report', fr: 'Dernier rapport' },
    value: (row) => row.last_report,
  },
]

/** Registers the sheet of the attendance of a list, in the order of the page. */
export function registerCohortAttendanceExport() {
  registerExport<{ cohort_id: number }>(cohortAttendanceExport, {
    allowed: (actor) => actor.can('cohorts.export'),
    subject: ({ cohort_id }) => ({ type: 'cohort', id: cohort_id, filters: {} }),
    write: async ({ db }, { params, locale, path, progress }) => {
      const rows = await readLevels(db, params.cohort_id)
      await progress(0, rows.length)
      await writeWorkbook(path, {
        name: { en: 'Attendance', fr: 'Présence' }[locale],
        columns: columns.map(({ label, value: _, ...column }) => ({ ...column, header: label[locale] })),
        rows: rows.map((row) => columns.map(({ value }) => value(row, locale))),
      })
      await progress(rows.length, rows.length)
      return { rows: rows.length, columns: columns.map(({ label }) => label) }
    },
  })
}
