import { expect, test } from '../test.ts'

test('a person reads that a module cannot be reached, uses the rest, and opens it with a retry', async ({
  person,
  expected,
}) => {
  expected.push(/net::ERR_FAILED/, /mfe-geo-schools/)
  const admin = await person('admin')
  let broken = true
  await admin.route('**/modules/mfe-geo-schools/**', (route) => (broken ? route.abort() : route.continue()))
  await admin.goto('/home')
  const navigation = admin.getByRole('navigation', { name: 'Main navigation' })
  const failure = admin.getByText('The module Schools and geography did not load')
  await navigation.getByRole('link', { name: 'Schools' }).click()
  await expect(failure).toBeVisible({ timeout: 30_000 })
  await expect(admin.getByText(/owned by Portal core team/)).toBeVisible()

  await navigation.getByRole('link', { name: 'Cases' }).click()
  await expect(admin.getByRole('heading', { name: 'Case Management' })).toBeVisible()
  await navigation.getByRole('link', { name: 'Schools' }).click()
  await expect(failure).toBeVisible({ timeout: 30_000 })
  broken = false
  await admin.getByRole('button', { name: 'Try again' }).click()
  await expect(admin.getByRole('table', { name: 'Schools' })).toBeVisible()
})

test('a person at an unknown address reads so, and finds a way on', async ({ person }) => {
  const admin = await person('admin')
  await admin.goto('/admin/nothing-here')
  await expect(admin.getByRole('heading', { name: 'Page not found' })).toBeVisible()
  await admin.getByRole('navigation', { name: 'Main navigation' }).getByRole('link', { name: 'Home' }).click()
  await expect(admin.getByRole('heading', { name: /^Hello/ })).toBeVisible()
})

test('a school officer finds no way into transfers, and is told so at their address', async ({ person }) => {
  const officer = await person('school')
  await officer.goto('/home')
  const navigation = officer.getByRole('navigation', { name: 'Main navigation' })
  await expect(navigation.getByRole('link', { name: 'Schools' })).toBeVisible()
  await expect(navigation.getByRole('link', { name: 'Transfers' })).toHaveCount(0)
  await officer.goto('/admin/transfers/cohorts/list')
  await expect(officer.getByText(/Access Denied: /)).toBeVisible()
  const answer = await officer.request.get('/api/admin/transfers/cohorts')
  expect(answer.status()).toBe(403)
})
