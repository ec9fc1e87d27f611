import { makeLive } from '../publish.ts'
import { place } from '../stage/place.ts'
import { expect, test } from '../test.ts'
import { openWells } from '../wells.ts'
import { makeProbe, newName } from './probe.ts'
import { goBy, navigationOf } from './test.ts'

const calls = ['GET /admin/schools/list']

for (const { what, button, title } of [
  { what: 'hangs in a loop without an end', button: 'Loop', title: 'The module Wells does not answer' },
  { what: 'sends fifty megabytes in one message', button: 'Shout', title: 'The module Wells was stopped' },
  { what: 'sends an object of 800 levels', button: 'Dig', title: 'The module Wells was stopped' },
  { what: 'sends thousands of messages', button: 'Chatter', title: 'The module Wells was stopped' },
])
  test(`a person works on while an isolated module ${what}, and reads what happened to it`, async ({
    person,
    expected,
  }) => {
    expected.push(/./)
    const admin = await person('admin')
    const { wells } = await openWells(admin)
    await wells.getByRole('button', { name: button }).click()
    await expect(admin.getByRole('heading', { name: title })).toBeVisible({ timeout: 30_000 })
    await expect(admin.getByText('The rest of the portal is not affected', { exact: false })).toBeVisible()
    // At once: the portal waits until the process that hangs has ended.
    await admin.getByRole('button', { name: 'Reload' }).click()
    await expect(wells.getByRole('button', { name: 'Write a note' })).toBeVisible()
    await navigationOf(admin).getByRole('link', { name: 'Cases' }).click()
    await expect(admin.getByRole('heading', { name: 'Case Management' })).toBeVisible()
  })

test('a person leaves the page of an isolated module that hangs, before anybody has noticed', async ({
  person,
  expected,
}) => {
  expected.push(/./)
  const admin = await person('admin')
  const { wells } = await openWells(admin)
  await wells.getByRole('button', { name: 'Loop' }).click()
  await navigationOf(admin).getByRole('link', { name: 'Cases' }).click()
  await expect(admin.getByRole('heading', { name: 'Case Management' })).toBeVisible()
})

test('a person goes on with the card of one module while that of another hangs, and only that one is given up', async ({
  person,
  expected,
}) => {
  expected.push(/./)
  const [wild, calm] = ['Wild', 'Calm'].map((title) =>
    makeProbe({
      ...{ name: newName(title.toLowerCase()), contract: '1.5.0', card: 'loop-card.js' },
      title: { en: title, fr: title },
      more: { cards: [{ id: 'count', title: { en: title, fr: title }, order: 1 }], calls },
    }),
  )
  if (!wild || !calm) throw new Error('There are two modules.')
  for (const module of [wild, calm]) await makeLive(module, { trusted: false })
  const admin = await person('admin')
  await admin.goto('/home')
  const cardOf = (title: string) => admin.frameLocator(`iframe[title="${title}"]`)
  const answers = (count: number) => cardOf('Calm').getByRole('button', { name: `Answers ${count}` })
  await expect(answers(0)).toBeVisible()
  await cardOf('Wild').getByRole('button', { name: 'Loop' }).click()
  await expect(admin.getByText(`${wild.record.name} loops`)).toBeVisible()

  await answers(0).click()
  await answers(1).click()
  await expect(answers(2)).toBeVisible()
  const givenUp = admin.getByText(/^The module \w+ does not answer\.$/)
  // All of that was while the other one hung.
  expect(await givenUp.count()).toBe(0)
  await expect(givenUp).toHaveText(['The module Wild does not answer.'], { timeout: 30_000 })
  await answers(2).click()
  await expect(answers(3)).toBeVisible()
  await expect(givenUp).toHaveCount(1)
  await goBy(admin, 'Calm')
  await expect(
    admin.frameLocator('iframe.module-frame').getByRole('button', { name: 'Count 0' }),
  ).toBeVisible()
})

test('no cookie of the portal reaches the host of a module, neither in a frame nor when somebody opens its address', async ({
  person,
  expected,
}) => {
  expected.push(/./)
  const admin = await person('admin')
  const sent: string[] = []
  const cookies: string[] = []
  admin.context().on('request', async (request) => {
    const { hostname, pathname } = new URL(request.url())
    if (!hostname.endsWith('.localhost')) return
    sent.push(`${hostname}${pathname.replace(/[^/]+$/, '')}`)
    cookies.push((await request.allHeaders()).cookie ?? '')
  })
  // A demo that is opened at `localhost` has its cookies there.
  const { port } = new URL(place.url)
  const own = (await admin.context().cookies(place.url)).map(({ name, value }) => ({ name, value }))
  expect(own.map(({ name }) => name)).toContain('portal_session')
  await admin.context().addCookies(own.map((cookie) => ({ ...cookie, url: `http://localhost:${port}` })))
  const { module, wells } = await openWells(admin)
  await expect(wells.getByRole('button', { name: 'Write a note' })).toBeVisible()
  const frame = `mfe-isolated.localhost/frame/${module.record.name}/`
  expect(sent).toContain(frame)
  const opened = await admin.context().newPage()
  await opened.goto(`http://mfe-isolated.localhost:${port}/frame/mfe-isolated/${module.record.build}`)
  expect(sent.filter((address) => address === frame).length).toBeGreaterThan(1)
  await expect.poll(() => cookies.length).toBe(sent.length)
  expect(new Set(cookies)).toEqual(new Set(['']))
})
