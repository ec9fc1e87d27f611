import { expect, test } from 'vitest'
import { bodyLimitAt } from './over-limit.ts'
import { allCalls } from './test-calls.ts'

test('a person is refused what is too large by the same limit in a frame and on the server', () => {
  const notOfModules = ['public', 'invite', 'machine', 'signed']
  const calls = allCalls.filter(({ call }) => !notOfModules.includes(String(call.access)))
  expect(calls.length).toBeGreaterThan(200)
  const other = calls.filter(
    ({ call }) => bodyLimitAt(call.method, call.path.replaceAll(/:\w+/g, '7')) !== call.bodyLimit,
  )
  expect(other.map(({ name }) => name)).toEqual([])
})
