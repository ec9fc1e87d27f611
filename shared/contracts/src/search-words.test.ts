import { expect, test } from 'vitest'
import { holdsWords, phoneFigures, searchWords, wordsWithin } from './search-words.ts'

test('a person may separate words as she likes, and each counts once', () => {
  expect(searchWords('  Awa,  Coulibaly;Awa Coulibaly ')).toEqual(['Coulibaly', 'Awa'])
  expect(searchWords(' , ; ')).toEqual([])
})

test('a pasted page is searched by its first eight words', () => {
  expect(searchWords('a b c d e f g h i j')).toHaveLength(8)
})

test('a phone number on paper is one word; two school years are two', () => {
  expect(searchWords('Awa 76 12 34 56')).toEqual(['76123456', 'Awa'])
  expect(searchWords('+221 77 123 45 67')).toEqual(['+221771234567'])
  expect(searchWords('2026 2027')).toEqual(['2026', '2027'])
})

test('a phone number with the prefix of its country is one word, however its figures stand together', () => {
  for (const number of [
    '00 223 76 12 34 56',
    '00223 76123456',
    '00-223-76-12-34-56',
    '+223 (76) 12 34 56',
    '+223 7612 3456',
    '0022376123456',
  ]) {
    const words = searchWords(`Awa ${number} Traoré`)
    expect(words, number).toHaveLength(3)
    expect(words.map(phoneFigures), number).toContain('22376123456')
  }
  expect(searchWords('+221 77 123 45 67 2026').map(phoneFigures)).toEqual(['221771234567', undefined])
  expect(searchWords('0076 12 34 56').map(phoneFigures)).toEqual(['76123456'])
  expect(['76123456', 'KYS-000001', '2026', '0012'].map(phoneFigures)).toEqual(Array(4).fill(undefined))
})

test('what the browser searches is found by words in any order, with any case and accents', () => {
  expect(holdsWords('Élèves Établissements', 'etab ELEV')).toBe(true)
  expect(holdsWords('Élèves Établissements', 'etab classe')).toBe(false)
  expect(holdsWords('Élèves', '')).toBe(true)
})

test('a person sees each word that was found, once where words overlap', () => {
  expect(wordsWithin('Aïssata Coulibaly', 'coul aissat')).toEqual([
    [0, 6],
    [8, 12],
  ])
  expect(wordsWithin('Ségou', 'segou ego')).toEqual([[0, 5]])
  expect(wordsWithin('Ségou', 'kayes')).toEqual([])
})
