import { expect, test } from 'vitest'
import { unusualAge, usualAge } from './school-age.ts'

test('a class level tells how old its pupils usually are, in both countries', () => {
  expect(['1', '4', '12', 'CI', 'CM2', 'TLE', 'university'].map(usualAge)).toEqual([
    7,
    10,
    18,
    6,
    11,
    18,
    undefined,
  ])
})

test('whoever makes a baby of a pupil, or a grown woman, is asked; whoever began late is not', () => {
  const inYear4 = (born: string) => unusualAge(born, '4', '2026-11-22')
  expect(inYear4('2026-02-22')).toEqual({ age: 0, usual: 10 })
  expect(inYear4('2020-11-21')).toEqual({ age: 6, usual: 10 })
  expect(inYear4('2019-11-22')).toBe(null)
  expect(inYear4('2007-11-22')).toBe(null)
  expect(inYear4('2006-11-22')).toEqual({ age: 20, usual: 10 })
  expect(inYear4('')).toBe(null)
})
