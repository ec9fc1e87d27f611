import type { Cell } from '@portal/contracts/imports/sheet'
import { say } from '@portal/contracts/sentences'
import type { TargetColumn } from '@portal/contracts/transfers/target-list.sheet'
import { expect, test } from 'vitest'
import { checkTargetRow, type TargetRules } from './target-list.import.ts'

const rules: TargetRules = {
  country: 'ml',
  type: 'mobile_money',
  files: false,
  defaultAmount: 10_500,
  maxAmount: 2_000_000,
}
const good: Partial<Record<TargetColumn, Cell>> = {
  receiver_first_name: ' Aminata  Awa ',
  receiver_last_name: 'Traore\u0301',
  receiver_phone_number: 76123456,
  student_code: ' ml-001 ',
}
const messageOf = (cells: Partial<Record<TargetColumn, Cell>>, more: Partial<TargetRules> = {}) => {
  const checked = checkTargetRow({ ...good, ...cells }, { ...rules, ...more })
  return 'entry' in checked
    ? checked.entry
    : checked.errors.map(({ column, message }) => `${column}: ${say(message, 'en')}`)
}

test('a good row is tidied: names trimmed, the phone in E.164, the code upper-cased, the amount the parameter’s', () => {
  expect(messageOf({})).toEqual({
    receiver_first_name: 'Aminata Awa',
    receiver_last_name: 'Traoré',
    receiver_phone_number: '+22376123456',
    student_code: 'ML-001',
    amount: 10_500,
    receiver_account: null,
    receiver_bank: null,
  })
})

test.each([
  [9000, 9000],
  ['9000', 9000],
  ['9 000', 9000],
  ['9\u202f000 FCFA', 9000],
  ['9\u202f000\u00a0F\u202fCFA', 9000],
  ['9000.00', 9000],
  ['10,500.00 XOF', 10_500],
  ['10.500,00', 10_500],
  ['1,200,000', 1_200_000],
  [2_000_000, 2_000_000],
  [1, 1],
])('an amount written as %s is %i francs', (cell, amount) => {
  expect(messageOf({ amount: cell })).toMatchObject({ amount })
})

test.each<[Cell, string]>([
  [0, 'The amount is at least 1 franc.'],
  [-500, 'The amount is at least 1 franc.'],
  ['-500', 'The amount is at least 1 franc.'],
  [0.5, 'Amounts are whole francs, without decimals.'],
  [10_500.5, 'Amounts are whole francs, without decimals.'],
  ['10500,50', 'Amounts are whole francs, without decimals.'],
  [2_000_001, 'The amount is at most 2,000,000 francs.'],
  ['1e99', 'Write the amount in digits only, such as 10500; 1e99 can be read in two ways or none.'],
  [1e99, 'The amount is at most 2,000,000 francs.'],
  ['10,500', 'Write the amount in digits only, such as 10500; 10,500 can be read in two ways or none.'],
  [
    '2026-01-05',
    'Write the amount in digits only, such as 10500; 2026-01-05 can be read in two ways or none.',
  ],
  ['dix mille', 'Write the amount in digits only, such as 10500; dix mille can be read in two ways or none.'],
  [{ text: '#REF!', problem: 'cell_error|#REF!' }, 'This cell holds the spreadsheet’s error #REF!.'],
])('an amount of %s is refused with its own sentence', (cell, message) => {
  expect(messageOf({ amount: cell })).toEqual([`amount: ${message}`])
})

test('everything that is wrong with a row is said at once, each with its column', () => {
  expect(
    messageOf({
      receiver_first_name: null,
      receiver_last_name: '123',
      receiver_phone_number: 7612345,
      student_code: null,
    }),
  ).toEqual([
    'receiver_first_name: Fill in this field.',
    'receiver_last_name: A name holds at least one letter.',
    'receiver_phone_number: A number in Mali has 8 digits; this one has 7.',
    'student_code: Fill in this field.',
  ])
})

test('a code is read as the register stores it, whatever spaces, width and case it is written with', () => {
  for (const student_code of ['ML 2026 000123', 'ml2026000123', ' ML2026\u00a0000123', 'ＭＬ2026000123'])
    expect(messageOf({ student_code })).toMatchObject({ student_code: 'ML2026000123' })
  expect(messageOf({ student_code: ' \u200b ' })).toEqual(['student_code: Fill in this field.'])
})

test('a code that a number cell has shortened is refused, a short one is taken', () => {
  expect(messageOf({ student_code: 1.2e20 })).toEqual([
    'student_code: Excel has shortened this number. Format the column as text and write it in full.',
  ])
  expect(messageOf({ student_code: 20260001 })).toMatchObject({ student_code: '20260001' })
})

test('a bank needs the account and takes the phone when it is a number', () => {
  const bank = { type: 'bank' } as const
  const account = 'ML13 ML01 6012 0102 6001 0066 8497'
  expect(messageOf({ receiver_phone_number: null }, bank)).toEqual(['receiver_account: Fill in this field.'])
  expect(messageOf({ receiver_phone_number: null, receiver_account: account }, bank)).toMatchObject({
    receiver_phone_number: null,
    receiver_account: 'ML13ML0160120102600100668497',
    receiver_bank: null,
  })
  expect(
    messageOf({ receiver_account: account, receiver_phone_number: '12', receiver_bank: 'X' }, bank),
  ).toEqual([
    'receiver_phone_number: This is not a telephone number.',
    'receiver_bank: A BIC has 8 or 11 characters, such as BMSMMLBA.',
  ])
})

test('a mobile-money list leaves account columns alone', () => {
  expect(messageOf({ receiver_account: 'nonsense' })).toMatchObject({ receiver_account: null })
})
