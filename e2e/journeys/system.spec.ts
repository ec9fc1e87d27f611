import { rows } from '../database.ts'
import { expect, expectAccessible, test } from '../test.ts'

test('an administrator sees which work failed, and why; an officer has no such page', async ({ person }) => {
  await rows(
    `insert into pgboss.job (name, data, state, start_after, completed_on, output) values
      ('statement', '{}', 'failed', now(), now(), '{"message": "ECONNREFUSED 10.0.0.7"}')`,
  )
  const admin = await person('admin')
  await admin.goto('/home')
  await admin.getByRole('link', { name: 'State of the portal' }).click()
  const main = admin.getByRole('main')
  await expect(main.getByText('ECONNREFUSED 10.0.0.7')).toBeVisible()
  await expect(main.getByText('Failed within a day: 1')).toBeVisible()
  await expect(main.getByText('PostgreSQL')).toBeVisible()
  await expectAccessible(admin, 'the state of the portal')
  const officer = await person('officer')
  await officer.goto('/admin/system')
  await expect(officer.getByRole('heading', { name: 'Access Denied', exact: true })).toBeVisible()
})
