import { expect, test } from '../test.ts'

test('a module that cannot be reached says so, leaves the rest alive, and opens when it is tried again', async ({
  person,
  expected,
}) => {
  expected.push(/net::ERR_FAILED/, /mfe-geo-schools/)
  const admin = await person('admin')
  let broken = true
  await admin.route('**/modules/mfe-geo-schools/**', (route) => (broken ? route.abort() : route.continue()))
  const navigation = admin.getByRole('navigation').first()
  await navigation.getByRole('link', { name: 'Schools' }).click()
  await expect(admin.getByText('The module Schools and geography did not load')).toBeVisible({
    timeout: 15_000,
  })
  await expect(admin.getByText(/owned by Portal core team/)).toBeVisible()

  await navigation.getByRole('link', { name: 'Cases' }).click()
  await expect(admin.getByRole('heading', { name: 'Case Management' })).toBeVisible()
  await navigation.getByRole('link', { name: 'Schools' }).click()
  broken = false
  await admin.getByRole('button', { name: 'Try again' }).click()
  await expect(admin.getByRole('table', { name: 'Schools' })).toBeVisible()
})

test('an address that nobody owns says so, with a way on', async ({ person }) => {
  const admin = await person('admin')
  await admin.goto('/admin/nothing-here')
  await expect(admin.getByRole('heading', { name: 'Page not found' })).toBeVisible()
  await expect(admin.getByRole('navigation').first()).toBeVisible()
})

test('a school officer finds no way into transfers, and is told so at their address', async ({ person }) => {
  const officer = await person('school')
  await expect(officer.getByRole('link', { name: 'Transfers' })).toHaveCount(0)
  await officer.goto('/admin/transfers/cohorts/list')
  await expect(officer.getByText(/Access Denied: /)).toBeVisible()
})
