import { expect, test } from 'vitest'
import { say } from '../sentences.ts'
import { readPhone } from './phone.ts'

const e164 = (cell: string | number, country: 'ml' | 'sn' = 'ml') => {
  const read = readPhone(cell, country)
  return 'e164' in read ? read.e164 : say(read.problem, 'en')
}

/** The same numbers at every run. */
function* numbers(count: number, below: number) {
  let seed = 20261120
  for (let made = 0; made < count; made++) {
    seed = (Math.imul(seed, 1664525) + 1013904223) >>> 0
    yield seed % below
  }
}

test.each([
  '76123456',
  '76 12 34 56',
  '76.12.34.56',
  '76-12-34-56',
  '+223 76 12 34 56',
  '0022376123456',
  '223 76123456',
  '(+223) 76 12 34 56',
  '76123456.0',
  '76123456,00',
  '2.2376123456E+10',
  '7.6123456E7',
  '\u202a+223\u00a076123456\u202c',
  "'76123456",
  '76/12/34/56',
  '７６１２３４５６',
  76123456,
  22376123456,
])('a Malian number written as %s is the same number', (cell) => {
  expect(e164(cell)).toBe('+22376123456')
})

test('any possible number survives every way of writing it', () => {
  for (const [country, code, digits, firsts] of [
    ['ml', '223', 8, ['2', '4', '5', '6', '7', '8', '9']],
    ['sn', '221', 9, ['3', '7', '8', '93']],
  ] as const) {
    for (const random of numbers(2000, 10_000_000)) {
      const first = firsts[random % firsts.length]!
      const national = (first + String(random).padStart(7, '0') + '0'.repeat(2)).slice(0, digits)
      const full = `+${code}${national}`
      const grouped = national.replace(/(\d\d)(?=\d)/g, '$1 ')
      for (const cell of [
        national,
        Number(national),
        full,
        `00${code}${national}`,
        code + national,
        Number(code + national),
        grouped,
        `${full}.0`,
      ]) {
        expect(e164(cell, country), `${cell}`).toBe(full)
      }
    }
  }
})

test('a number with one digit too few or too many is never accepted', () => {
  for (const random of numbers(2000, 10_000_000)) {
    const national = `7${String(random).padStart(7, '0')}`
    for (const cell of [
      national.slice(1),
      `${national}5`,
      `+223${national}5`,
      `+223${national.slice(0, 7)}`,
    ]) {
      // A leading 223 or 221 cut off may leave eight digits; those are a number again.
      if (cell.length === 8 || cell.startsWith('223')) continue
      expect(readPhone(cell, 'ml'), cell).toHaveProperty('problem')
    }
  }
})

test.each([
  ['7612345', 'A number in Mali has 8 digits; this one has 7.'],
  ['+223 7612345', 'A number in Mali has 8 digits; this one has 7.'],
  ['076123456', 'A number in Mali has 8 digits; this one has 9.'],
  ['761234.00', 'A number in Mali has 8 digits; this one has 6.'],
  ['7612345E', 'The letter E is not a digit.'],
  ['7612345O', 'The letter O is not a digit.'],
  ['76#123456', 'The sign # is not a digit.'],
  ['2.2376E+10', 'Excel has shortened this number. Format the column as text and write it in full.'],
  ['7.612345E+07', 'Excel has shortened this number. Format the column as text and write it in full.'],
  ['76123456 / 66123456', 'There are several numbers in this cell. Keep one.'],
  ['76123456 ou 66123456', 'There are several numbers in this cell. Keep one.'],
  ['+221771234567', 'This number is not one of Mali, which start with +223.'],
  ['221771234567', 'This number is not one of Mali, which start with +223.'],
  ['+76123456', 'This number is not one of Mali, which start with +223.'],
  ['N/A', 'This is not a telephone number.'],
  ['5', 'This is not a telephone number.'],
  [-76123456, 'This is not a telephone number.'],
])('%s is no Malian number, and the sentence says why', (cell, sentence) => {
  expect(e164(cell)).toBe(sentence)
})

test.each([
  ['771234567', '+221771234567'],
  ['00221 77 123 45 67', '+221771234567'],
  [221771234567, '+221771234567'],
  ['931234567', '+221931234567'],
  ['77123456', 'A number in Senegal has 9 digits; this one has 8.'],
  ['22376123456', 'This number is not one of Senegal, which start with +221.'],
])('in Senegal, %s is read as %s', (cell, expected) => {
  expect(e164(cell, 'sn')).toBe(expected)
})

test('the sentences are there in French too', () => {
  const read = readPhone('7612345', 'ml')
  expect('problem' in read && say(read.problem, 'fr')).toBe(
    'Un numéro du Mali compte 8 chiffres\u00a0; celui-ci en compte 7.',
  )
})
