import { reservedRoutes } from '@portal/sdk/gates/offer'
import { expect, test } from 'vitest'
import { shellPages } from './addresses.ts'

test('a team without a portal at hand is told that a page of the shell’s own is not free', () => {
  const isReserved = (path: string) =>
    reservedRoutes.some((route) => route !== '/' && (path === route || path.startsWith(`${route}/`)))
  expect(Object.keys(shellPages).filter((path) => !isReserved(path))).toEqual([])
})
