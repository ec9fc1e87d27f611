import { expect, expectAccessible, expectNoSidewaysScroll, test, walked } from '../test.ts'

const statistics = '**/api/home/statistics'

for (const { language, locale } of [
  { language: 'English', locale: 'en-GB' },
  { language: 'French', locale: 'fr-FR' },
]) {
  test.describe(`in ${language}`, walked(locale === 'en-GB'), () => {
    test.use({ locale })

    test('an administrator sees what the programme has reached, as a table and drawn', async ({
      person,
      say,
    }) => {
      for (const width of [1280, 360]) {
        const admin = await person('admin', { width })
        await admin.goto('/home')
        const main = admin.getByRole('main')
        for (const [words, href] of [
          ['Cash transfers', '/admin/transfers/reconciliations'],
          ['Schools', '/admin/schools'],
          ['Student beneficiaries', '/admin/schools/students'],
          ['Beneficiary guardians', '/admin/schools/parents'],
        ] as const)
          await expect(main.locator(`a.stat[href="${href}"]`)).toContainText(say(words))
        const first = main.locator('tbody tr').first()
        await expect(first.locator('.money')).toContainText(/\d/)
        const name = await first.locator('td').first().innerText()
        const amount = await first.locator('.money').innerText()
        await expect(main.locator('tfoot')).toContainText(say('Total'))
        await expect(main.locator('table.cards tbody tr')).toHaveCount(15)
        await main.getByRole('button', { name: say('Show all {count} CAPs', { count: 20 }) }).click()
        await expect(main.locator('table.cards tbody tr')).toHaveCount(20)
        await expectAccessible(admin, `home at ${width}`)
        await expectNoSidewaysScroll(admin, `home at ${width}`)

        await admin.getByRole('button', { name: say('Chart'), exact: true }).click()
        await expect(admin).toHaveURL(/\/home\?view=chart$/)
        const chart = admin.getByRole('figure', { name: say('Total amount transferred by CAP, in CFA') })
        await expect(chart.getByRole('listitem').first()).toContainText(name)
        await expect(chart.getByRole('listitem').first()).toContainText(amount)
        await expect(chart.getByRole('listitem')).toHaveCount(15)
        await expectAccessible(admin, `the chart at ${width}`)
        await expectNoSidewaysScroll(admin, `the chart at ${width}`)
        await chart.getByRole('button', { name: say('Show all {count} CAPs', { count: 20 }) }).press('Enter')
        await expect(chart.getByRole('listitem')).toHaveCount(20)

        await admin.reload()
        await expect(chart.getByRole('listitem').first()).toContainText(amount)
        await admin.goto('/profile')
        await admin.goBack()
        await expect(chart).toBeVisible()
        await admin.getByRole('button', { name: say('Table'), exact: true }).click()
        await expect(admin).toHaveURL(/\/home$/)
        await expect(first).toContainText(amount)
      }
    })
  })
}

test('an officer is offered no way to registers that she may not open', async ({ person }) => {
  const officer = await person('officer')
  await officer.goto('/home')
  const main = officer.getByRole('main')
  await expect(main.locator('.stat')).toHaveCount(4)
  await expect(main.locator('a.stat')).toHaveCount(1)
  await expect(main.locator('a.stat')).toContainText('Cash transfers')
  const menu = officer.getByRole('navigation', { name: 'Main navigation' })
  await expect(menu.getByRole('link', { name: 'Attendance' })).toBeVisible()
  await expect(menu.getByRole('link', { name: 'Survey' })).toHaveCount(0)
  await expect(menu.getByRole('link', { name: 'Message devices' })).toHaveCount(0)
})

test('a person reads that the figures could not be loaded, and retries', async ({ person, expected }) => {
  expected.push(/status of 500/)
  const admin = await person('admin')
  await admin.route(statistics, (route) =>
    route.fulfill({ status: 500, json: { message: 'The database does not answer.', request_id: 'r1' } }),
  )
  await admin.goto('/home')
  const alert = admin.getByRole('main').getByRole('alert')
  await expect(alert).toContainText('Server Error: The database does not answer.')
  await admin.unroute(statistics)
  await alert.getByRole('button', { name: 'Try again' }).click()
  await expect(admin.getByRole('main').locator('tbody tr').first()).toContainText(/\d/)
})

test('a person reads in the table and the chart that nothing has been paid yet', async ({ person }) => {
  const admin = await person('admin')
  await admin.route(statistics, async (route) => {
    const answer = await route.fetch()
    await route.fulfill({ json: { ...(await answer.json()), disbursementByCap: [] } })
  })
  await admin.goto('/home')
  await expect(admin.getByRole('main').getByText('No data available')).toBeVisible()
  await admin.getByRole('button', { name: 'Chart', exact: true }).click()
  await expect(admin.getByRole('main').getByText('No data available')).toBeVisible()
})

test('a person uses the home page although a module’s card does not load', async ({ person, expected }) => {
  expected.push(/Failed to load resource/)
  const admin = await person('admin')
  await admin.route('**/modules/mfe-cases/**', (route) => route.abort())
  await admin.goto('/home')
  const main = admin.getByRole('main')
  await expect(main.locator('tbody tr').first()).toContainText(/\d/)
  const broken = main.getByRole('region', { name: 'My open cases' })
  await expect(broken.getByRole('alert')).toBeVisible()
  await admin.unroute('**/modules/mfe-cases/**')
  await broken.getByRole('button', { name: 'Try again' }).click()
  await expect(broken.getByRole('link', { name: 'All my open cases' })).toBeVisible()
  await expect(main.getByRole('heading', { name: 'Approvals waiting' })).toBeVisible()
})

test('a person sees the figures refreshed after five minutes, and not before', async ({ person }) => {
  const admin = await person('admin')
  await admin.clock.install()
  const asked: number[] = []
  admin.on('request', (request) => {
    if (request.url().endsWith('/api/home/statistics')) asked.push(Date.now())
  })
  await admin.goto('/home')
  await expect(admin.getByRole('main').locator('tbody tr').first()).toContainText(/\d/)
  // From here on only the journey moves the clock: time that a busy machine takes does not count.
  await admin.clock.pauseAt((asked[0] ?? 0) + 120_000)
  await admin.clock.runFor(170_000)
  expect(asked).toHaveLength(1)
  const again = admin.waitForRequest('**/api/home/statistics')
  await admin.clock.runFor(60_000)
  expect((await again).headers()['x-poll']).toBe('1')
})

test('an approver’s card is fetched beside its module, not after it', async ({ person }) => {
  const approver = await person('approver')
  const entry = /\/mfe-transfers\/[^/]+\/remoteEntry\.js$/
  let release: () => void = () => undefined
  const asked = new Promise<void>((resolve) => {
    release = resolve
  })
  approver.on('request', async (request) => {
    const [, base, file] = /(\/modules\/mfe-transfers\/\w+\/)(.+\.js)$/.exec(request.url()) ?? []
    if (!base || !file) return
    const { preloads } = await (await approver.request.get(`${base}build.json`)).json()
    if (preloads['/home']?.includes(file)) release()
  })
  // The module does not come before something of its card was asked for.
  await approver.route(entry, async (route) => {
    await asked
    await route.continue()
  })
  await approver.goto('/home')
  const card = approver.getByRole('region', { name: 'Approvals waiting' })
  await expect(card).toContainText(/waits? for an approval/)
})
