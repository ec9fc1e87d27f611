import { activate, loadCatalog } from '@portal/i18n/locale'
import { beforeAll, expect, test } from 'vitest'
import { entityName, linesOf } from './words.ts'

beforeAll(() => {
  loadCatalog('en', {})
  activate('en')
})

const lines = (data: Record<string, unknown>) => linesOf(data).map(({ name, text }) => `${name}: ${text}`)

test('a report reads school first, whatever the order in which it came', () => {
  expect(
    lines({
      date: '2026-11-20',
      learners: { present: 41, enrolled: 50, absent_codes: ['STU-1', 'STU-2'] },
      school_admin_code: 'ML-SIK-0012',
    }),
  ).toEqual([
    'School ID: ML-SIK-0012',
    'Date: 20/11/2026',
    'Learners, enrolled: 50',
    'Learners, present: 41',
    'Learners, absent students: STU-1, STU-2',
  ])
})

test('what the portal does not know is shown under its own name, however deep it lies', () => {
  expect(
    lines({ flow_step: { answers: [{ q: 'a' }, { q: 'b' }] }, late: true, note: null, list: [] }),
  ).toEqual(['flow step, answers, 1, q: a', 'flow step, answers, 2, q: b', 'late: yes', 'note: –', 'list: –'])
})

test('a message about a student is read by the names of her form', () => {
  expect(lines({ student_code: 'KYD-1001', current_class_level: '8' })).toEqual([
    'Student code: KYD-1001',
    'Class level: 8',
  ])
})

test('a field named like one of every object’s own is only a field', () => {
  expect(lines({ constructor: 1, toString: 'x' })).toEqual(['constructor: 1', 'toString: x'])
  expect(entityName('hasOwnProperty')).toBe('hasOwnProperty')
})
