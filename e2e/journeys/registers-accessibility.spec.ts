import type { Page } from '@playwright/test'
import { row } from '../database.ts'
import { chooseFile, guardians, pile, uploadForReview } from '../registers.ts'
import { expect, expectAccessible, expectNoSidewaysScroll, test } from '../test.ts'

async function pages(): Promise<string[]> {
  const { id } = await row<{ id: number }>('select min(id) as id from schools')
  return [
    '/admin/geo/locations',
    '/admin/geo/locations/external',
    '/admin/geo/locations/import',
    '/admin/schools',
    `/admin/schools/${id}/users?type=teacher`,
    `/admin/schools/${id}/users?type=student`,
    '/admin/schools/teachers',
    '/admin/schools/students',
    '/admin/schools/parents',
    '/admin/schools/partners',
    '/admin/schools/partners/import',
  ]
}

async function settled(page: Page, path: string) {
  await page.goto(path)
  await expect(page.getByRole('heading', { level: 1 }).first()).toBeVisible()
  await expect(page.locator('[aria-busy="true"]')).toHaveCount(0)
}

test('a school officer who uses a screen reader can use every register, by light and by dark', async ({
  person,
}) => {
  test.setTimeout(120_000)
  const officer = await person('school')
  for (const scheme of ['light', 'dark'] as const) {
    await officer.emulateMedia({ colorScheme: scheme })
    for (const path of await pages()) {
      await settled(officer, path)
      await expectAccessible(officer, `${path}, ${scheme}`)
    }
  }
})

test('a school officer with a phone scrolls no register sideways', async ({ person }) => {
  const officer = await person('school', { width: 360 })
  for (const path of await pages()) {
    await settled(officer, path)
    await expectNoSidewaysScroll(officer, path)
  }
})

test('every form of the registers can be used by keyboard and screen reader', async ({ person }) => {
  const officer = await person('school')
  for (const [path, acts] of [
    ['/admin/schools', ['Edit']],
    ['/admin/schools/students', ['See details', 'Edit']],
    ['/admin/schools/parents', ['Edit']],
    ['/admin/schools/partners', ['Edit']],
    ['/admin/geo/locations', ['Edit']],
  ] as const) {
    await settled(officer, path)
    for (const act of acts) {
      await officer.locator('tbody .menu-cell').getByRole('button').first().click()
      await officer.getByRole('menuitem', { name: act, exact: true }).click()
      await expect(officer.getByRole('dialog')).toBeVisible()
      await expectAccessible(officer, `${path}: ${act}`)
      await officer.keyboard.press('Escape')
      await expect(officer.getByRole('dialog')).toBeHidden()
    }
  }
})

test('the workbench can be used by keyboard and screen reader, on a phone too, by light and by dark', async ({
  person,
}) => {
  test.setTimeout(120_000)
  const file = await guardians('regards', [
    { code: 'SEE-1', first_name: 'Awa', last_name: 'Keïta', phone: '76 12 34 56' },
    { code: 'SEE-1', first_name: 'Awa', last_name: 'Keïta', phone: '76 12 34 56' },
    { code: 'SEE-2', first_name: 'Nana', last_name: 'Kanté', phone: '76 12 34 5O' },
  ])
  for (const width of [1280, 360]) {
    const officer = await person('school', { width })
    const look = async (what: string) => {
      for (const scheme of ['light', 'dark'] as const) {
        await officer.emulateMedia({ colorScheme: scheme })
        await expectAccessible(officer, `${what} at ${width}, ${scheme}`)
      }
      await expectNoSidewaysScroll(officer, `${what} at ${width}`)
    }
    await settled(officer, '/admin/schools/parents/import')
    await chooseFile(officer, file)
    await look('a chosen file')
    await uploadForReview(officer)
    await expect(officer.locator('input.cell')).toBeVisible()
    await look('the rejected rows')
    for (const kind of ['new', 'changed', 'unchanged', 'duplicate'] as const) {
      await pile(officer, kind).click()
      await expect(officer.locator('.tabs + *')).toBeVisible()
      await look(`the pile ${kind}`)
    }
  }
})
