import { expect, expectRestAlive, goBy, test } from '../faults/test.ts'

/** The federation runtime, a chunk of the shell that every module needs. */
const runtime = /\/assets\/federation\.\w+\.js/

for (const [what, does] of [
  ['is not the one that was built', 'tamper'],
  ['does not come', 'missing'],
] as const)
  test(`when the federation runtime ${what}, she reads that the module did not load, and her next try opens it`, async ({
    person,
    line,
    expected,
  }) => {
    expected.push(/integrity/i, /404/)
    line.break(runtime, does)
    const admin = await person('admin')
    await admin.goto('/home')
    await goBy(admin, 'Users')
    const main = admin.getByRole('main')
    await expect(main.getByRole('heading', { name: /did not load$/ })).toBeVisible()
    await expect(main).toContainText('Check the connection, then try again.')
    expect(line.asked.some(({ path }) => runtime.test(path))).toBe(true)

    line.mend()
    await main.getByRole('button', { name: 'Try again' }).click()
    await expect(admin.getByRole('table', { name: 'System Users' })).toBeVisible()
    await expectRestAlive(admin)
  })
