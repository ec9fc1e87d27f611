import { expect, test } from 'vitest'
import { KeyedRows } from './rows.ts'

test('an equal row is a duplicate, a different one rejects both, and each names the other’s row', () => {
  const rows = new KeyedRows()
  expect(rows.add('ML-1', 2, ['Awa', 100])).toEqual({ kind: 'first' })
  expect(rows.add('ML-2', 3, ['Awa', 100])).toEqual({ kind: 'first' })
  expect(rows.add('ML-1', 4, ['Awa', 100])).toEqual({ kind: 'duplicate', row: 2 })
  expect(rows.add('ML-1', 5, ['Awa', 101])).toEqual({ kind: 'conflict', row: 2, takeBack: true })
  expect(rows.add('ML-1', 6, ['Awa', 100])).toEqual({ kind: 'conflict', row: 2, takeBack: false })
  expect(rows.add('ML-2', 7, ['Awa', 100])).toEqual({ kind: 'duplicate', row: 3 })
})

test('values that only look alike when written together are different', () => {
  const rows = new KeyedRows()
  rows.add('k', 2, ['a', 'b,c', null])
  expect(rows.add('k', 3, ['a,b', 'c', null])).toMatchObject({ kind: 'conflict' })
  rows.add('l', 4, ['1', null])
  expect(rows.add('l', 5, [1, null])).toMatchObject({ kind: 'conflict' })
})
