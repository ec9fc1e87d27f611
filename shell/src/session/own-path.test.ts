import { expect, test } from 'vitest'
import { ownPath } from './own-path.ts'

const portal = 'https://portal.example.org'
const leadsTo = (address: string) => (ownPath.test(address) ? new URL(address, portal).origin : null)

test('a person who follows a link to the sign-in page is led to pages of the portal only', () => {
  for (const page of ['/', '/home', '/admin/schools/list?search=a%09b', '/a//b', '/..//elsewhere.example'])
    expect([page, leadsTo(page)]).toEqual([page, portal])
  for (const address of [
    ...['//elsewhere.example', '/\\elsewhere.example', 'https://elsewhere.example', 'home', ''],
    ...['\t', '\n', '\r', '\t\n\t'].flatMap((sign) => [
      `/${sign}/elsewhere.example`,
      `/${sign}\\elsewhere.example`,
      `${sign}//elsewhere.example`,
    ]),
  ])
    expect([address, leadsTo(address)]).toEqual([address, null])
})
