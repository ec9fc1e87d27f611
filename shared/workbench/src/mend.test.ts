import { parentsSheet } from '@portal/contracts/registers/parents.sheet'
import { targetListSheet } from '@portal/contracts/transfers/target-list.sheet'
import { expect, test } from 'vitest'
import { mended } from './mend.ts'

const { contact_1, profession } = parentsSheet.columns

test.each([
  ['78 20 44 O5', '78 20 44 05'],
  ['7o l2 34 56', '70 12 34 56'],
  ['7612345', null],
  ['66 90 1E 52', null],
  ['76 12 34 56', null],
  [null, null],
])('the letters of %s are digits only where that puts it right', (value, better) => {
  expect(mended(parentsSheet, contact_1, value)).toBe(better)
})

test('words are left alone', () => {
  expect(mended(parentsSheet, profession, 'Ouvrier')).toBeNull()
})

test('a number that is wrong in another way too is not proposed', () => {
  const sheet = targetListSheet('mobile_money')
  expect(mended(sheet, sheet.columns.receiver_phone_number, '76O2345l')).toBe('76023451')
  expect(mended(sheet, sheet.columns.receiver_phone_number, '76O23')).toBeNull()
})
