import { draw } from '@portal/ui/test-render'
import { act } from 'react'
import { expect, test } from 'vitest'
import { type Corrections, useCorrections } from './useCorrections.tsx'

/** What a review holds, with a function that changes it as a click does. */
async function review() {
  const held: { now?: Corrections } = {}
  function Piece() {
    held.now = useCorrections()
    return null
  }
  const { end } = await draw(<Piece />)
  const now = () => held.now as Corrections
  const change = (make: (corrections: Corrections) => void) => act(async () => make(now()))
  return { now, change, end }
}
const cell = (row: number, value: string | null, before: string | null = '9A') => ({
  ...{ row, column: 'class', value, before, reason: 'class_unknown' },
})

test('what an officer decided about rows is sent under its own name', async () => {
  const { now, change, end } = await review()
  await change(({ decide }) => decide(2, 'leave_out'))
  await change(({ decide }) => decide(3, 'take_back'))
  await change(({ decide }) => decide(4, 'keep'))
  await change(({ decide }) => decide(5, 'confirm'))
  await change(({ decide }) => decide(6, 'leave_out'))
  // The same decision twice removes it.
  await change(({ decide }) => decide(6, 'leave_out'))
  expect(now().count).toBe(4)
  expect(now().body()).toMatchObject({ leave_out: [2], take_back: [3], keep: [4], confirm: [5] })
  // Who confirms all of them includes those that she confirmed one by one.
  await change(({ confirmAll }) => confirmAll('age_unusual', 7))
  expect(now().count).toBe(10)
  expect(now().body()).toMatchObject({ leave_out: [2], confirm: [], confirm_all: ['age_unusual'] })
  await end()
})

test('a cell that an officer empties is sent as blank, and blanks around a value are not sent', async () => {
  const { now, change, end } = await review()
  await change(({ set }) => set(cell(2, '  ')))
  await change(({ set }) => set(cell(3, ' 8A ')))
  expect(now().body().corrections).toEqual([
    { row: 2, column: 'class', value: null },
    { row: 3, column: 'class', value: '8A' },
  ])
  await end()
})

test('a value that an officer puts right everywhere replaces what she wrote in cells that have it, and in no others', async () => {
  const { now, change, end } = await review()
  await change(({ set }) => set(cell(2, '8A')))
  await change(({ set }) => set(cell(3, '7A', '9B')))
  await change(({ replace }) => replace({ column: 'class', old_value: '9A', value: '8B', rows: 5 }))
  expect(now().body()).toMatchObject({
    corrections: [{ row: 3, value: '7A' }],
    replacements: [{ column: 'class', old_value: '9A', value: '8B' }],
  })
  await end()
})

test('what an officer changes again while her corrections are checked stays', async () => {
  const { now, change, end } = await review()
  await change(({ set }) => set(cell(2, '8A')))
  await change(({ set }) => set(cell(3, '8A')))
  const sent = now()
  await change(({ set }) => set(cell(3, '7A')))
  await change(() => sent.clear())
  expect(now().body().corrections).toEqual([{ row: 3, column: 'class', value: '7A' }])
  await end()
})
