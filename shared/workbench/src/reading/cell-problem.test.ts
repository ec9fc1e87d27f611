import { targetListSheet } from '@portal/contracts/transfers/target-list.sheet'
import { expect, test } from 'vitest'
import { cellProblem } from './cell-problem.ts'

test('an officer sees before the upload that a number is not of the country of her agency', () => {
  const sheet = targetListSheet('mobile_money')
  const { receiver_phone_number } = sheet.columns
  const problem = (country?: 'ml' | 'sn') => cellProblem(sheet, receiver_phone_number, '771234567', country)
  expect(problem('ml')).toBe('phone_digits_ml|9')
  expect(problem('sn')).toBeNull()
  // Before she has chosen an agency either country may be meant.
  expect(problem()).toBeNull()
})
