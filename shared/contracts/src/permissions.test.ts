import { expect, test } from 'vitest'
import { approvesMoney } from './permissions.ts'
import { allCalls } from './test-calls.ts'

const changes = allCalls.filter(
  ({ call }) => call.method !== 'GET' && call.path.startsWith('/admin/transfers/'),
)
const permissionsOf = (access: unknown) => [access].flat() as string[]

test('of every permission with which something about money is changed it is said whether money is approved with it', () => {
  expect(changes.length).toBeGreaterThan(15)
  const unsaid = changes.filter(({ call }) =>
    permissionsOf(call.access).some((name) => !(name in approvesMoney)),
  )
  expect(unsaid.map(({ name }) => name)).toEqual([])
})

test('whoever decides, releases, writes off or pays again holds a permission that asks for one-time codes', () => {
  const decides = changes.filter(({ call }) =>
    /\/(decide|approve|stop|resume|start|retry|write-off|confirm|release|sign)$/.test(call.path),
  )
  expect(decides.length).toBeGreaterThan(8)
  const free = decides.filter(({ call }) =>
    permissionsOf(call.access).some((name) => !approvesMoney[name as keyof typeof approvesMoney]),
  )
  expect(free.map(({ name }) => name)).toEqual([])
})
