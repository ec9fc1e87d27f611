import type { Page } from '@playwright/test'
import { asRole } from '../calls.ts'
import { row, rows } from '../database.ts'
import { makeLive } from '../publish.ts'
import { expect, expectAccessible, expectNoSidewaysScroll, test } from '../test.ts'
import { makeProbe, newName } from './probe.ts'

const label = (en: string, fr: string) => ({ en, fr })
const name = newName('col')
const probe = makeProbe({
  name,
  contract: '1.5.0',
  more: {
    collections: [
      {
        ...{ name: 'pumps', read: ['schools.view', 'modules.manage'], write: 'schools.view' },
        fields: [
          { name: 'school', label: label('School', 'École'), type: 'text', max: 40, filter: true },
          { name: 'checked', label: label('Checked', 'Contrôlée'), type: 'day' },
          {
            ...{ name: 'state', label: label('State', 'État'), type: 'text' },
            values: [{ value: 'dry', label: label('Dry', 'À sec') }],
          },
        ],
      },
    ],
    columns: [
      { id: 'state', field: 'state', show: 'badge', label: label('Pump', 'Pompe') },
      { id: 'checked', field: 'checked', show: 'date', label: label('Pump checked', 'Pompe contrôlée') },
      { id: 'kept', field: 'state', show: 'badge', label: label('Pump kept', 'Pompe suivie') },
    ].map((column, order) => ({
      ...{ on: 'school', collection: 'pumps', by: 'school', order },
      permission: column.id === 'kept' ? 'modules.manage' : 'schools.view',
      ...(column as Pick<typeof column, 'id' | 'field' | 'label'> & { show: 'badge' | 'date' }),
    })),
  },
})

const listOf = (page: Page) => page.getByRole('table', { name: 'Schools' })

test.afterAll(() => rows('delete from module_records where module = $1', name))

test('a person reads a module’s columns in the list of schools, hides one, and the list is there without them', async ({
  person,
  expected,
}) => {
  await makeLive(probe, { trusted: false })
  const school = await row<{ admin_code: string }>('select admin_code from schools order by name, id limit 1')
  await asRole('admin', async (post) => {
    await expect(async () => {
      await post(`/modules/${name}/records/pumps`, {
        data: { data: { school: school.admin_code, checked: '2026-03-02', state: 'dry' } },
      })
    }).toPass()
  })
  const officer = await person('school')
  await officer.goto('/admin/schools?sort=name')
  const first = listOf(officer).getByRole('row').filter({ hasText: school.admin_code })
  await expect(first.getByText('Dry')).toBeVisible()
  await expect(first.getByText('02/03/2026')).toBeVisible()
  // It is for people with another permission.
  await expect(listOf(officer).getByRole('columnheader', { name: 'Pump kept' })).toHaveCount(0)
  await expectAccessible(officer, 'columns of a module')

  await officer.getByRole('button', { name: 'Columns' }).click()
  await officer.getByRole('dialog').getByRole('checkbox', { name: 'Pump checked' }).uncheck()
  await officer.keyboard.press('Escape')
  await expect(listOf(officer).getByRole('columnheader', { name: 'Pump checked' })).toHaveCount(0)
  await expect(listOf(officer).getByRole('columnheader', { name: 'Pump' })).toBeVisible()

  // The list neither waits for the columns nor fails with them.
  expected.push(/500|columns/)
  let answer: () => void = () => undefined
  const held = new Promise<void>((resolve) => (answer = resolve))
  await officer.route('**/api/modules/columns?*', async (route) => {
    await held
    await route.fulfill({ status: 500, json: { message: 'Broken' } })
  })
  await officer.reload()
  await expect(first).toBeVisible()
  await expect(first.getByText('Dry')).toHaveCount(0)
  answer()
  const sentence = officer.getByText('Not read: Pump, Pump checked. The rest of the list is complete.')
  await expect(sentence).toBeVisible()
  await expect(first.getByText('–')).toBeVisible()
  await expectAccessible(officer, 'columns of a module that could not be read')
  await officer.setViewportSize({ width: 360, height: 780 })
  await expectNoSidewaysScroll(officer, 'columns of a module that could not be read')
  await officer.unroute('**/api/modules/columns?*')
  await officer.getByRole('main').getByRole('button', { name: 'Try again' }).click()
  await expect(sentence).toBeHidden()
  await first.getByRole('button', { name: /^More details of / }).click()
  await expect(officer.getByText('Dry')).toBeVisible()
})
