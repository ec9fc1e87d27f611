import { expect, test } from 'vitest'
import { excelDay, excelSerial, showsDay } from './dates.ts'

test.each([
  [14, undefined, true],
  [15, undefined, true],
  [17, undefined, true],
  [22, undefined, true],
  [30, undefined, true],
  [57, undefined, true],
  [0, undefined, false],
  [4, undefined, false],
  [20, undefined, false],
  [46, undefined, false],
  [164, 'dd/mm/yyyy', true],
  [164, 'jj/mm/aaaa', true],
  [164, '[$-40C]d\\ mmmm\\ yyyy;@', true],
  [164, 'mmm-yy', true],
  [164, 'mmmm', true],
  [164, 'dd/mm/yyyy\\ hh:mm', true],
  [164, 'mm:ss', false],
  [164, '[h]:mm', false],
  [164, '[mm]:ss', false],
  [164, '[m]', false],
  [164, 'General', false],
  [164, '0.00E+00', false],
  [164, '#,##0.00" days"', false],
  [164, '_-* #,##0\\ _d_-;\\-* #,##0\\ _d_-', false],
  [164, '[Red]0', false],
  // What is shown of a negative number says nothing of a day.
  [164, '0;d', false],
])('a number in format %s %s is a day: %s', (id, code, isDay) => {
  expect(showsDay(id, code)).toBe(isDay)
})

test.each([
  [1, false, '1900-01-01'],
  [59, false, '1900-02-28'],
  [61, false, '1900-03-01'],
  [2_958_465, false, '9999-12-31'],
  [40_543.75, false, '2010-12-31'],
  // A calculated day may be short of the whole number by the last binary digit.
  [40_542.999999999, false, '2010-12-31'],
  [0, true, '1904-01-01'],
  [39_081, true, '2010-12-31'],
  // 29 February 1900 did not exist, and neither did a day 0.
  [60, false, null],
  [0.5, false, null],
  [-1, true, null],
  [2_958_466, false, null],
])('day %s of a calendar since 1904 (%s) is %s', (serial, since1904, day) => {
  expect(excelDay(serial, since1904)).toBe(day)
})

test.each([
  ['2010-12-31', 40_543],
  ['2010-12-31T18:00:00Z', 40_543.75],
  ['2010-12-31 18:00:00.0+00', 40_543.75],
  ['2010-12-31T18:00:00+06:00', 40_543.5],
  ['1900-03-01', 61],
  ['1900-02-28', Number.NaN],
  ['2010-02-30', Number.NaN],
  ['2010-12-31, perhaps', Number.NaN],
  // Without a zone nobody knows the instant.
  ['2010-12-31 18:00', Number.NaN],
  ['31/12/2010', Number.NaN],
])('%s is day %s of Excel', (text, serial) => {
  expect(excelSerial(text)).toBe(serial)
})
