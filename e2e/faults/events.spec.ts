import type { FrameLocator, Locator, Page } from '@playwright/test'
import { decide, fileCase, openCase } from '../cases.ts'
import { makeLive, publishBuild } from '../publish.ts'
import { expect, expectAccessible, test } from '../test.ts'
import { makeProbe, newName } from './probe.ts'
import { reference } from './test.ts'

const well = { en: 'Well is dry', fr: 'Puits à sec' }
const dry = {
  ...{ id: 'dry', title: well, permission: 'schools.view' },
  fields: [
    { name: 'well', type: 'whole' as const, required: true },
    { name: 'since', type: 'day' as const },
  ],
}
const cardOf = (title: string) => [
  { id: 'count', title: { en: title, fr: title }, permission: 'schools.view', order: 1 },
]

/** A module with a card that publishes, and two with cards that hear it; `runs` names where the first one runs. */
function modulesFor(runs: string) {
  const card = 'events-card.js'
  const names = { publisher: newName(`${runs}-tells`), page: newName('hears'), frame: newName('hears') }
  const hearing = (name: string, title: string) =>
    makeProbe({
      ...{ name, card, contract: '1.5.0', mark: `${names.publisher}:dry` },
      more: { cards: cardOf(title), listens: [`${names.publisher}:dry`] },
    })
  return {
    publisher: makeProbe({
      ...{ name: names.publisher, card, contract: '1.5.0' },
      more: { cards: cardOf(`Wells of the ${runs}`), events: [dry] },
    }),
    inPage: hearing(names.page, `Hears the ${runs} in the page`),
    inFrame: hearing(names.frame, `Hears the ${runs} in a frame`),
  }
}

test('a partner’s tab on a case hears from the portal that the case was acted on, in the page and in a frame', async ({
  person,
}) => {
  const id = await fileCase(await person('admin'), 'Heard by a tab')
  const changed = 'mfe-cases:case-changed'
  const hearing = (runs: string) => {
    const title = { en: `In the ${runs}`, fr: `Dans ${runs}` }
    return makeProbe({
      ...{ name: newName('follows'), contract: '1.5.0', mark: changed },
      more: {
        tabs: [{ id: 'count', on: 'case', title, permission: 'cases.manage', order: 1 }],
        listens: [changed],
      },
    })
  }
  await makeLive(hearing('page'))
  await makeLive(hearing('frame'), { trusted: false })
  const reviewer = await person('reviewer')
  const addActivity = async () => {
    await reviewer.getByRole('button', { name: 'Record activity' }).click()
    const dialog = reviewer.getByRole('dialog')
    await dialog.locator('[name=channel_id]').selectOption({ index: 1 })
    await dialog.locator('[name=note]').fill('Called the school.')
    await dialog.getByRole('button', { name: 'Record activity' }).click()
    await expect(dialog).toHaveCount(0)
  }
  for (const [runs, act, status] of [
    ['page', addActivity, 'open'],
    ['frame', () => decide(reviewer, 'resolve', 'Paid since.'), 'resolved'],
  ] as const) {
    await openCase(reviewer, id)
    await reviewer.getByRole('link', { name: `In the ${runs}` }).click()
    const tab = runs === 'page' ? reviewer : reviewer.frameLocator(`iframe[title="In the ${runs}"]`)
    await expect(tab.getByText('Heard nothing')).toBeVisible()
    await act()
    await expect(tab.getByText(`Heard {"case":${id},"status":"${status}"}`)).toBeVisible()
  }
})

for (const runs of ['page', 'frame'] as const) {
  const modules = modulesFor(runs)

  test(`what a module in a ${runs} tells reaches the modules that name it, in the page and in a frame, and no failure of theirs reaches it`, async ({
    person,
    expected,
  }) => {
    expected.push(/The listener of the probe throws/)
    const { publisher, inPage, inFrame } = modules
    await makeLive(inPage)
    await makeLive(inFrame, { trusted: false })

    // An administrator reads before what it will tell.
    await publishBuild(publisher)
    const admin = await person('admin')
    await admin.goto(`/admin/modules?build=${publisher.record.build}`)
    await expect(admin.getByRole('dialog').getByText('tells dry: well, since')).toBeVisible()
    await expectAccessible(admin, 'what a module tells others')
    await makeLive(publisher, { trusted: runs === 'page' })

    const officer = await person('school')
    await officer.goto('/home')
    const within = (page: Page): Locator | FrameLocator =>
      runs === 'page' ? page.locator('main') : page.frameLocator('iframe[title="Wells of the frame"]')
    const act = (name: string) => within(officer).getByRole('button', { name, exact: true }).click()
    const card = officer.getByRole('region', { name: `Hears the ${runs} in the page` })
    const framed = officer.frameLocator(`iframe[title="Hears the ${runs} in a frame"]`)
    await expect(framed.getByText('Heard 0')).toBeVisible()
    await expect(card.getByText('Heard 0')).toBeVisible()
    await act('Publish')
    const told = 'Heard 1 {"well":7,"since":"2026-02-28"}'
    await expect(framed.getByText(told)).toBeVisible()
    await expect(card.getByText(told)).toBeVisible()

    // What its manifest does not declare is refused, to itself alone.
    await act('Publish a text')
    await expect(
      within(officer).getByText(/Refused .*: well is not as the manifest declares it/),
    ).toBeVisible()
    await act('Publish another')
    await expect(within(officer).getByText(/Refused .* declares no event mfe-other:dry/)).toBeVisible()
    await expect(framed.getByText(told)).toBeVisible()

    // A listener that fails is told of as a failure of its own module.
    await card.getByRole('button', { name: 'Break' }).click()
    await framed.getByRole('button', { name: 'Break' }).click()
    await act('Publish')
    await admin.goto(`/admin/modules?module=${inPage.record.name}`)
    const errors = admin.getByRole('table', { name: 'What went wrong in browsers' })
    await expect(async () => {
      await admin.reload()
      await expect(errors.getByText(/The listener of the probe throws/).first()).toBeVisible()
    }).toPass()
    await expect(errors.getByText(reference).first()).toBeVisible()

    // Its card was counted where it stands.
    const places = admin.getByRole('table', { name: 'Loads by page' })
    await expect(async () => {
      await admin.goto(`/admin/modules?module=${publisher.record.name}`)
      await expect(places.getByRole('row', { name: new RegExp(`Card “Wells of the ${runs}”`) })).toBeVisible()
    }).toPass()

    // Too many are refused, and the rest of the page goes on.
    await officer.reload()
    await expect(framed.getByText('Heard 0')).toBeVisible()
    await act('Publish many')
    await expect(within(officer).getByText(/Refused .* at most 50 events in 10 seconds/)).toBeVisible()
    await expect(framed.getByText('Heard 50 {"well":49}')).toBeVisible()
    await expect(officer.getByRole('heading', { level: 1 })).toContainText('Hello')
  })
}
