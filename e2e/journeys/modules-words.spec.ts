import { row, rows } from '../database.ts'
import { makeProbe, newName } from '../faults/probe.ts'
import { makeLive } from '../publish.ts'
import { writeRecord } from '../records.ts'
import { expect, expectAccessible, test } from '../test.ts'

/** A partner's module with records that every officer of schools may read, so that no role has to be changed. */
async function bringHerbs() {
  const name = newName('herbs')
  const word = name.slice(4)
  const call = `/modules/${name}/records/herbs`
  const herbs = makeProbe({
    ...{ name, title: { en: 'Herbs', fr: 'Plantes' } },
    more: {
      collections: [
        {
          ...{ name: 'herbs', read: 'schools.view', write: 'schools.view' },
          label: { en: 'Healing herb', fr: 'Plante médicinale' },
          fields: [{ name: 'use', label: { en: 'good for', fr: 'indication' } }],
        },
      ],
      permissions: [{ name: `${word}.gather`, label: { en: 'Gather herbs', fr: 'Cueillir des plantes' } }],
      resources: [{ name: word, label: { en: `Garden of ${word}`, fr: `Jardin ${word}` } }],
      search: [
        {
          ...{ id: 'herbs', title: { en: 'Healing herbs', fr: 'Plantes médicinales' }, icon: 'modules' },
          ...{ permission: 'schools.view', call, rows: 'records', label: '{data.name}', note: '{data.use}' },
          link: `/admin/${word}/form?herb={id}`,
        },
      ],
    },
  })
  await makeLive(herbs)
  return { name, route: herbs.route, word, call: `/api${call}` }
}

const languages = [
  {
    ...{ locale: 'en-GB', title: 'Healing herbs', record: 'Healing herb', field: 'good for' },
    ...{ role: 'Auditor', garden: 'Garden of', gather: 'Gather herbs' },
  },
  {
    ...{ locale: 'fr-FR', title: 'Plantes médicinales', record: 'Plante médicinale', field: 'indication' },
    ...{ role: 'Auditeur', garden: 'Jardin', gather: 'Cueillir des plantes' },
  },
]
for (const { locale, title, ...words } of languages)
  test.describe(`with a browser in ${locale}`, () => {
    test.use({ locale })

    test('a school officer finds in the search what a partner’s module keeps', async ({ person, say }) => {
      const { name, route, call } = await bringHerbs()
      const officer = await person('school')
      await officer.goto('/home')
      const id = await writeRecord(officer, call, { name: `Kinkeliba ${route}`, use: 'Fever & cough' })
      await expect(officer.getByRole('heading', { level: 1 })).toBeVisible()
      await officer.keyboard.press('Control+k')
      const search = officer.getByRole('dialog', { name: say('Search') })
      const field = search.getByRole('combobox')
      await field.fill('kinkel')
      // Both languages may have brought their own module to this portal; the link tells them apart.
      const option = search.getByRole('option', { name: `Kinkeliba ${route}` })
      await expect(option).toContainText('Fever & cough')
      await expect(search.getByRole('group', { name: title }).first()).toBeVisible()
      await expectAccessible(officer, 'what a module found')
      await option.click()
      await expect(officer).toHaveURL(new RegExp(`${route}/form\\?herb=${id}$`))
      // The module's own styles begin with its name.
      await expect(officer.locator(`div.${name}`).getByRole('textbox').first()).toBeVisible()
    })

    test('an administrator reads what a partner’s module calls its permissions and what it keeps', async ({
      person,
      say,
    }) => {
      const { route, word, call } = await bringHerbs()
      const admin = await person('admin')
      await writeRecord(admin, call, { name: `Nere ${route}`, use: 'Sight' })
      await admin.goto('/admin/users/audit/logs?auditable_type=module%20record')
      const entry = admin.getByRole('row').filter({ hasText: route })
      await expect(entry).toContainText(words.record)
      // French puts a space before the colon.
      await expect(entry).toContainText(new RegExp(`${words.field}\\s?: Sight`))

      // The api adopts what a new generation declares a moment after it is live.
      await expect
        .poll(() => rows('select 1 from permissions where name = $1', `${word}.gather`), { timeout: 60_000 })
        .toHaveLength(1)
      await admin.goto('/admin/roles?search=Auditor')
      await admin.getByRole('button', { name: say('Actions for {name}', { name: words.role }) }).click()
      await admin.getByRole('menuitem', { name: say('Assign Permissions') }).click()
      const group = admin.getByRole('dialog').getByRole('group', { name: `${words.garden} ${word}` })
      await expect(group.getByRole('checkbox', { name: words.gather })).toBeVisible()
      await expectAccessible(admin, 'permissions in a module’s words')
    })
  })

test('a school officer whose module does not answer the search finds what others have, and is told that a list is missing', async ({
  person,
  expected,
}) => {
  const { call } = await bringHerbs()
  expected.push(/500|herbs/)
  const school = await row<{ name: string; admin_code: string }>(
    'select name, admin_code from schools order by id limit 1',
  )
  const officer = await person('school')
  await officer.goto('/home')
  await expect(officer.getByRole('heading', { level: 1 })).toBeVisible()
  const list = `**${call}?*`
  await officer.route(list, (route) => route.fulfill({ status: 500, json: { message: 'Broken' } }))
  await officer.keyboard.press('Control+k')
  const search = officer.getByRole('dialog', { name: 'Search' })
  const field = search.getByRole('combobox')
  await field.fill(school.admin_code)
  const sentence = search.getByText('Some lists could not be searched. What was found is shown.')
  await expect(sentence).toBeVisible()
  await expect(search.getByRole('group', { name: 'Schools' }).getByRole('option').first()).toBeVisible()
  await expectAccessible(officer, 'a search that lacks a list')
  // The next search asks it again.
  await officer.unroute(list)
  await field.fill(school.name)
  await expect(search.getByRole('group', { name: 'Schools' }).getByRole('option').first()).toBeVisible()
  await expect(sentence).toBeHidden()
})

test('a reviewer who may not read a module’s list is not offered it, and the server is not asked', async ({
  person,
}) => {
  const { call } = await bringHerbs()
  const reviewer = await person('reviewer')
  const requests: string[] = []
  reviewer.on('request', (request) => requests.push(new URL(request.url()).pathname))
  await reviewer.goto('/home')
  await expect(reviewer.getByRole('heading', { level: 1 })).toBeVisible()
  await reviewer.keyboard.press('Control+k')
  const search = reviewer.getByRole('dialog', { name: 'Search' })
  await search.getByRole('combobox').fill('kinkeliba')
  await expect(search.getByText('Nothing matches “kinkeliba”.')).toBeVisible()
  expect(requests).toContain('/api/admin/cases')
  expect(requests).not.toContain(call)
})
