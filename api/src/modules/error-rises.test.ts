import { expect, test } from 'vitest'
import { hasRisen } from './error-rises.service.ts'

test.each([
  ['five errors for two people after a quiet day', 5, 2, 0, true],
  ['four errors', 4, 4, 0, false],
  ['many errors of one person', 200, 1, 0, false],
  ['as many as in every hour of the day before', 10, 6, 240, false],
  ['four times as many as in an hour of the day before', 40, 6, 240, false],
  ['more than that', 41, 6, 240, true],
])('%s', (_what, errors, people, before, risen) => {
  expect(hasRisen({ errors, people, before })).toBe(risen)
})
