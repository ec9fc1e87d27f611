import { afterEach, expect, test, vi } from 'vitest'
import { inOrder, moved, shown } from './column-order.ts'
import { rememberedView, rememberView, usualView } from './table-view.ts'

afterEach(() => {
  vi.unstubAllGlobals()
  localStorage.clear()
})
const columns = ['code', 'cap', 'teachers']

test('somebody finds the columns that she chose, and another person on the same browser her own', () => {
  const view = { order: ['teachers', 'code'], hidden: ['cap'], compact: true }
  rememberView(1, '/schools', view)
  expect(rememberedView(1, '/schools')).toEqual(view)
  expect(rememberedView(2, '/schools')).toEqual(usualView)
  expect(rememberedView(1, '/students')).toEqual(usualView)
})

test('whoever goes back to the usual columns leaves nothing behind', () => {
  rememberView(1, '/schools', { ...usualView, compact: true })
  rememberView(1, '/schools', usualView)
  expect(localStorage.length).toBe(0)
})

test('what cannot be read, or was written by something else, is as if nobody had chosen', () => {
  for (const text of ['{', '7', 'null', '{"order":3,"hidden":[1,"cap"],"compact":"yes"}']) {
    localStorage.setItem('portal.table.1./schools', text)
    const { order, compact } = rememberedView(1, '/schools')
    expect([order, compact]).toEqual([[], false])
  }
})

test('a browser that forbids storage still shows the list', () => {
  const forbid = () => {
    throw new DOMException('forbidden', 'SecurityError')
  }
  vi.stubGlobal('localStorage', { getItem: forbid, setItem: forbid })
  rememberView(1, '/schools', { ...usualView, compact: true })
  expect(rememberedView(1, '/schools')).toEqual(usualView)
})

test('a column moves by one place, not past the ends, and one that is new stands last', () => {
  const once = moved(columns, usualView, 'teachers', -1)
  expect(once.order).toEqual(['code', 'teachers', 'cap'])
  expect(moved(columns, once, 'code', -1)).toEqual(once)
  expect(moved(columns, once, 'cap', 1)).toEqual(once)
  expect(inOrder([...columns, 'partners'], once)).toEqual(['code', 'teachers', 'cap', 'partners'])
  expect(inOrder(['cap'], once)).toEqual(['cap'])
})

test('a column is left out once, and comes back', () => {
  const without = shown(shown(usualView, 'cap', false), 'cap', false)
  expect(without.hidden).toEqual(['cap'])
  expect(shown(without, 'cap', true).hidden).toEqual([])
})
