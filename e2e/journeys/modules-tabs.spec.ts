import type { Page } from '@playwright/test'
import type { RegistryModule } from '@portal/sdk/manifest'
import { moduleFor } from '@portal/sdk/registry'
import { newName } from '../faults/probe.ts'
import { team } from '../faults/publisher.ts'
import { expect, makeProbe, navigationOf, test } from '../faults/test.ts'
import { place } from '../stage/place.ts'

/** A tab asks for the generation from time to time; its clock is put forward instead of waiting. */
const later = (page: Page) => page.clock.fastForward(5 * 60_000 + 1000)

const name = newName('notebook')
const title = { en: 'Notebook', fr: 'Carnet' }
const build = (version: string) => makeProbe({ name, title, version, mark: `mark ${version}` })
const shows = (page: Page, version: string) =>
  expect(page.getByText(`${name} ${version} mark ${version}`)).toBeVisible()
const link = (page: Page, name: string) => page.getByRole('main').getByRole('link', { name, exact: true })

test('a person with an open tab gets a new version and its rollback without losing what she typed', async ({
  person,
}) => {
  const [first, second] = [build('1.0.0'), build('2.0.0')]
  const { moussa, release } = await team(name)
  await release(first)
  const admin = await person('admin')
  await admin.clock.install()
  await admin.goto(first.route)
  await shows(admin, '1.0.0')
  await release(second)

  await test.step('a page of the old build that was not yet fetched still opens', async () => {
    await link(admin, 'Probe form').click()
    await shows(admin, '1.0.0')
    await admin.getByLabel('Note').fill('Typed before the new version')
  })
  await test.step('the tab says that there is a new version, and keeps what is typed', async () => {
    await later(admin)
    await expect(admin.getByText('There is a new version of the portal.')).toBeVisible()
    await expect(admin.getByText('What you are typing is kept until you save it or leave')).toBeVisible()
    await expect(admin.getByLabel('Note')).toHaveValue('Typed before the new version')
    await shows(admin, '1.0.0')
  })
  await test.step('once it is saved, the next step brings the new version', async () => {
    await admin.getByRole('button', { name: 'Save the note' }).click()
    await expect(admin.getByText('There is a new version of the portal.')).toHaveCount(0)
    await link(admin, 'Probe list').click()
    await shows(admin, '2.0.0')
  })
  await test.step('rolled back under the open tab, its form stays and the next step brings the build before', async () => {
    await link(admin, 'Probe form').click()
    await admin.getByLabel('Note').fill('Typed before the way back')
    expect(await moussa.change(name, 'rollback')).toMatchObject({ status: 200 })
    await later(admin)
    await expect(admin.getByText('There is a new version of the portal.')).toBeVisible()
    await expect(admin.getByLabel('Note')).toHaveValue('Typed before the way back')
    await admin.getByRole('button', { name: 'Load the new version' }).click()
    await admin.getByRole('dialog').getByRole('button', { name: 'Leave' }).click()
    await shows(admin, '1.0.0')
  })
  await moussa.change(name, 'disable')
})

test.describe('at the portal’s own address, which frames ask for', () => {
  test.use({ baseURL: place.url })

  test('a person reaches every section of every module by link, reload, back and forward', async ({
    person,
  }) => {
    test.setTimeout(300_000)
    const admin = await person('admin')
    await admin.goto('/home')
    const registry: { modules: (RegistryModule & { isolated?: string })[] } = JSON.parse(
      (await admin.locator('#registry').textContent()) ?? '',
    )
    const paths = registry.modules
      .filter(({ disabled, withheld }) => !disabled && !withheld)
      .flatMap(({ nav }) => nav.flatMap((item) => [item.path, ...item.children.map((child) => child.path)]))
    /** An isolated module has its heading in its frame. */
    const headingAt = (path: string) => {
      const at = moduleFor(registry, path)?.isolated ? admin.frameLocator('iframe.module-frame') : admin
      return at.getByRole('main').getByRole('heading', { level: 1 })
    }
    const headings = new Map<string, string>()
    const isThere = async (path: string) => {
      await expect(admin).toHaveURL((url) => url.pathname === path)
      await expect(headingAt(path)).toHaveText(headings.get(path) ?? /./)
      await expect(admin.getByText('Reference MF-')).toHaveCount(0)
    }
    const all = [...new Set(paths)]
    for (const path of all) {
      await admin.goto(path)
      await expect(headingAt(path)).toHaveText(/\S/)
      headings.set(path, (await headingAt(path).textContent()) ?? '')
      await admin.reload()
      await isThere(path)
    }
    await admin.goto('/home')
    await expect(navigationOf(admin).getByRole('link', { name: 'State of the portal' })).toBeVisible()
    const sections = await navigationOf(admin)
      .getByRole('link')
      .evaluateAll((links) => links.map((each) => each.getAttribute('href') ?? ''))
    const walked = [...new Set(sections)].filter((path) => headings.has(path))
    for (const path of walked) {
      await navigationOf(admin).locator(`a[href="${path}"]`).first().click()
      await isThere(path)
    }
    expect(walked.length).toBeGreaterThan(3)
    for (const path of walked.slice(0, -1).toReversed()) {
      await admin.goBack()
      await isThere(path)
    }
    for (const path of walked.slice(1)) {
      await admin.goForward()
      await isThere(path)
    }
  })
})
