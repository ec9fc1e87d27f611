import { studentsSheet } from '@portal/contracts/registers/students.sheet'
import { expect, test } from 'vitest'
import { inFile } from './columns.ts'

test('a day is shown as the file shows it, and a text that looks like one as it was typed', () => {
  const sheet = studentsSheet(false)
  expect(inFile(sheet, 'date_of_birth', '2012-02-03')).toBe('03/02/2012')
  expect(inFile(sheet, 'date_of_birth', '2012-02')).toBe('2012-02')
  expect(inFile(sheet, 'admission_number', '2012-02-03')).toBe('2012-02-03')
})
