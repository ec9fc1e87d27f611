import { makeLive } from '../publish.ts'
import { expect, test } from '../test.ts'
import { makeProbe, newName } from './probe.ts'

for (const runs of ['page', 'frame'] as const) {
  test(`the team of a module in a ${runs} reads the error that its code caught and reported, and those that nobody caught`, async ({
    person,
    expected,
  }) => {
    expected.push(
      /The well is dry|Nobody catches the pump|Nobody waits for the tank|Problem|This is not here, or not yours to see/,
    )
    const probe = makeProbe({ name: newName('throws'), contract: '1.5.0', list: 'throws-list.js' })
    await makeLive(probe, { trusted: runs === 'page' })
    const officer = await person('school')
    await officer.goto(probe.route)
    const within = runs === 'page' ? officer.locator('main') : officer.frameLocator('iframe[title="Probe"]')
    const refused = officer.waitForResponse(/nothing-here/)
    for (const name of ['Be refused', 'Report', 'Throw', 'Reject'])
      await within.getByRole('button', { name, exact: true }).click()
    await refused

    const admin = await person('admin')
    const errors = admin.getByRole('table', { name: 'What went wrong in browsers' })
    await expect(async () => {
      await admin.goto(`/admin/modules?module=${probe.record.name}`)
      await expect(errors.getByRole('row', { name: /Nobody waits for the tank/ })).toBeVisible()
    }).toPass()
    // An answer that is a refusal is no error of the code. Three errors, and the head of the table.
    await expect(errors.getByRole('row')).toHaveCount(4)
    const reported = errors.getByRole('row', { name: /The well is dry/ })
    await expect(reported.getByText('An error in its code')).toBeVisible()
    await expect(reported.getByText(probe.route)).toBeVisible()
    await expect(errors.getByText('Nobody catches the pump')).toBeVisible()
  })
}
