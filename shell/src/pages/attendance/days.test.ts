import { activate, loadCatalog } from '@portal/i18n/locale'
import { expect, test } from 'vitest'
import { type Day, weekday, wholeWeek } from './days.ts'

const day = (date: string, present: number | null): Day => ({
  date,
  teacher_attendance: present,
  student_attendance: present,
  absenteeism_rate: present === null ? null : 100 - present,
  reported_schools: present === null ? 0 : 12,
})

test('on a Tuesday the drawing already has room for the rest of the school week', () => {
  const week = wholeWeek('2026-11-16', [day('2026-11-16', 90), day('2026-11-17', 91)])
  expect(week.map(({ date }) => date.slice(-2))).toEqual(['16', '17', '18', '19', '20'])
  expect(week.map(({ student_attendance }) => student_attendance)).toEqual([90, 91, null, null, null])
})

test('a Saturday counts only where somebody was at school', () => {
  const days = ['16', '17', '18', '19', '20'].map((at) => day(`2026-11-${at}`, 90))
  expect(wholeWeek('2026-11-16', [...days, day('2026-11-21', null)])).toHaveLength(5)
  expect(wholeWeek('2026-11-16', [...days, day('2026-11-21', 40)])).toHaveLength(6)
})

test('a week that spans two months keeps its days', () => {
  const week = wholeWeek('2026-11-30', [day('2026-11-30', 90)])
  expect(week.map(({ date }) => date)).toEqual([
    '2026-11-30',
    '2026-12-01',
    '2026-12-02',
    '2026-12-03',
    '2026-12-04',
  ])
})

test('days are named in the language of the portal, by the date in UTC', () => {
  loadCatalog('fr', {})
  activate('fr')
  expect(weekday('2026-11-16', 'long')).toBe('lundi')
})
