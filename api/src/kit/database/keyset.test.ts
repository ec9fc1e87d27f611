import { expect, test } from 'vitest'
import { batches } from './keyset.ts'

const all = Array.from({ length: 7 }, (_, n) => n + 1)
const read = async (after: number) => all.filter((row) => row > after).slice(0, 3)
const same = (row: number) => row

test('an export has each row once, in the order of the keys', async () => {
  const parts: number[][] = []
  for await (const rows of batches(read, same)) parts.push(rows)
  expect(parts).toEqual([[1, 2, 3], [4, 5, 6], [7]])
})

test('an export asks for the next rows before it has written these', async () => {
  const asked: number[] = []
  const rows = batches((after) => {
    asked.push(after)
    return read(after)
  }, same)
  await rows.next()
  expect(asked).toEqual([0, 3])
  await rows.return(undefined)
})

test('an export that fails while it reads ahead writes the rows before, and then says so', async () => {
  const rows = batches(async (after) => {
    if (after > 0) throw new Error('The connection is lost')
    return read(after)
  }, same)
  expect((await rows.next()).value).toEqual([1, 2, 3])
  await expect(rows.next()).rejects.toThrow('The connection is lost')
})

test('an export that is stopped waits for what it asked for, so that its connection is free', async () => {
  let ended = 0
  const rows = batches(async (after) => {
    const found = await read(after)
    ended++
    return found
  }, same)
  await rows.next()
  await rows.return(undefined)
  expect(ended).toBe(2)
})
