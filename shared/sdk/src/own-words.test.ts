import { expect, test } from 'vitest'
import { condensed, faultOfWords, writtenIds } from './own-words.ts'

test('a visitor does not load the ids of words that both languages have, and the gates still know of them', () => {
  const words = condensed({
    en: ['abc123', 'def456', 'abc123', 'visits.greeting'],
    fr: ['def456', 'abc123', 'visits.greeting'],
  })
  expect(words).toEqual({ en: ['visits.greeting'], fr: ['visits.greeting'], same: 2 })
  expect(faultOfWords(words)).toBeNull()
  expect(writtenIds(words)).toEqual(['visits.greeting'])
})

test('a partner whose French lacks a word reads which one, though the other words are only counted', () => {
  const words = condensed({ en: ['abc123', 'def456'], fr: ['abc123'] })
  expect(words).toEqual({ en: ['def456'], fr: [], same: 1 })
  expect(faultOfWords(words)).toMatch(/^French lacks def456: translate/)
  expect(faultOfWords(condensed({ en: [], fr: [] }))).toMatch(/^The build has no words/)
})
