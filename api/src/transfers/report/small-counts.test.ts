import { expect, test } from 'vitest'
import { hideSmallCounts } from './small-counts.ts'

test('a donor reads counts of five and more, and their sums', () => {
  expect(
    hideSmallCounts([
      [5, 0],
      [7, 12],
    ]),
  ).toEqual({
    cells: [
      [5, 0],
      [7, 12],
    ],
    rows: [5, 19],
    columns: [12, 12],
    all: 24,
  })
})

test('a donor cannot find a hidden count by subtraction', () => {
  const { cells, rows, columns, all } = hideSmallCounts([
    [3, 20, 30],
    [9, 8, 40],
    [10, 50, 60],
  ])
  // The 3 takes one of its row and one of its column with it, and these take their crossing.
  expect(cells).toEqual([
    [null, null, 30],
    [null, null, 40],
    [10, 50, 60],
  ])
  expect([rows, columns, all]).toEqual([[53, 57, 120], [22, 78, 130], 230])
})

test('a place with few girls is hidden together with another place', () => {
  expect(hideSmallCounts([[2], [30], [40]])).toEqual({
    cells: [[null], [null], [40]],
    rows: [null, null, 40],
    columns: [72],
    all: 72,
  })
})

test('two hidden counts make five together, or a third one is hidden', () => {
  expect(hideSmallCounts([[1], [1], [6], [40]]).rows).toEqual([null, null, null, 40])
  expect(hideSmallCounts([[1], [4], [6], [40]]).rows).toEqual([null, null, 6, 40])
})

test('of a programme with fewer than five girls no count is told, and of none a zero', () => {
  expect(hideSmallCounts([[2, 1]])).toEqual({
    cells: [[null, null]],
    rows: [null],
    columns: [null, null],
    all: null,
  })
  expect(hideSmallCounts([], 0)).toEqual({ cells: [], rows: [], columns: [], all: 0 })
})

test('whatever the counts, no line has a single hidden one, unless all of its others are nothing', () => {
  let seed = 7
  const random = (below: number) => {
    seed = (seed * 48_271) % 2_147_483_647
    return seed % below
  }
  for (let turn = 0; turn < 300; turn++) {
    const counts = Array.from({ length: 1 + random(6) }, () => [])
    const width = 1 + random(6)
    const table = counts.map(() => Array.from({ length: width }, () => (random(3) === 0 ? 0 : random(14))))
    const { cells, rows, columns, all } = hideSmallCounts(table)
    for (const row of cells)
      for (const count of row) expect(count === null || count === 0 || count >= 5).toBe(true)
    const lines = [
      ...cells.map((row, at) => [...row, rows[at]]),
      ...columns.map((sum, at) => [...cells.map((row) => row[at]), sum]),
      [...rows, all],
      [...columns, all],
    ]
    for (const line of lines) {
      const hidden = line.filter((count) => count === null).length
      const others = line.filter((count) => count !== null && count !== 0 && count !== all)
      expect(hidden !== 1 || others.length === 0, JSON.stringify({ table, line })).toBe(true)
    }
  }
})
