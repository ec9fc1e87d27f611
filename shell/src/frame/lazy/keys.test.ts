import { afterEach, expect, test, vi } from 'vitest'
import { keysOn, switchKeys } from './keys.ts'

afterEach(() => {
  vi.unstubAllGlobals()
  localStorage.clear()
})

test('a person who switches single keys off finds them off when she comes back', () => {
  expect(keysOn()).toBe(true)
  switchKeys(false)
  expect(keysOn()).toBe(false)
  switchKeys(true)
  expect(keysOn()).toBe(true)
})

test('a person whose browser forbids storage has the keys, and switches them off for as long as she stays', () => {
  const forbid = () => {
    throw new DOMException('Access is denied for this document.', 'SecurityError')
  }
  vi.stubGlobal('localStorage', { getItem: forbid, setItem: forbid, removeItem: forbid, clear: () => {} })
  expect(keysOn()).toBe(true)
  switchKeys(false)
  expect(keysOn()).toBe(false)
  switchKeys(true)
})
