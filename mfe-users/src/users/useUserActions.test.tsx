import { drawInShell } from '@portal/screens/test-host'
import { click, eventually, named } from '@portal/ui/test-render'
import { expect, test } from 'vitest'
import UsersPage from './UsersPage.tsx'

const user = {
  id: 9,
  first_name: 'Modibo',
  last_name: 'Traoré',
  email: null,
  roles: [],
  active: true,
  version: 3,
}
const users = { data: [user], current_page: 1, last_page: 1, per_page: 15, total: 1 }

test('whoever may erase people and not export them finds the way to the data of a user', async () => {
  const { end } = await drawInShell(
    <UsersPage />,
    () => ({ body: { users, total: 1, active: 1, invited: 0, inactive: 0 } }),
    '/admin/users',
    ['people.export', 'roles.view'],
  )
  await eventually(() => expect(named('Actions for Modibo Traoré')).toBeDefined())
  await click(named('Actions for Modibo Traoré'))
  const item = () =>
    [...document.querySelectorAll('[role=menuitem]')].find((each) => each.textContent === 'Personal data')
  await eventually(() => expect(item()?.getAttribute('href')).toBe('/admin/users/people/user/9'))
  await end()
})
