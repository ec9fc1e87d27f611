import { type AddressInfo, createServer } from 'node:net'
import { chromium } from '@playwright/test'
import { giveSession } from '../people.ts'
import journeys from '../playwright.config.ts'
import { makeLive } from '../publish.ts'
import { place } from '../stage/place.ts'
import { expect, test } from '../test.ts'
import { openWells } from '../wells.ts'
import { makeProbe, newName } from './probe.ts'

/** A host that is no part of the portal. It counts who connects, and what is sent. */
async function elsewhere() {
  const connections: Buffer[][] = []
  const server = createServer((socket) => {
    const sent: Buffer[] = []
    connections.push(sent)
    socket.on('data', (data) => sent.push(data))
    socket.on('error', () => {})
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}/`
  return { url, search: `?elsewhere=${encodeURIComponent(url)}`, connections, stop: () => server.close() }
}

test('an isolated module cannot lead its own frame elsewhere: nothing is asked for there, and the person reads that it stopped', async ({
  person,
  expected,
}) => {
  expected.push(/frame-src/)
  const host = await elsewhere()
  const admin = await person('admin')
  const { module, wells } = await openWells(admin, host.search)
  await wells.getByRole('button', { name: 'Lead elsewhere' }).click()
  await expect(admin.getByRole('heading', { name: 'The module Wells does not answer' })).toBeVisible({
    timeout: 30_000,
  })
  await expect(admin).toHaveURL((url) => url.pathname === module.route)
  // Chromium connects to the host before it reads the policy, and then sends nothing.
  expect(host.connections.flat()).toEqual([])
  await admin.getByRole('button', { name: 'Reload' }).click()
  await expect(wells.getByRole('button', { name: 'Write a note' })).toBeVisible()
  host.stop()
})

test('an isolated module that leads its frame to another module gets nothing of it, and runs none of its code', async ({
  person,
}) => {
  const other = makeProbe({ name: newName('led'), contract: '1.5.0' })
  await makeLive(other, { trusted: false })
  const { port } = new URL(place.url)
  const { name, build, base } = other.record
  const led = `http://${name}.localhost:${port}/frame/${name}/${build}?lang=en`
  const admin = await person('admin')
  const { module, wells } = await openWells(admin, `?elsewhere=${encodeURIComponent(led)}`)
  await expect(wells.getByRole('button', { name: 'Write a note' })).toBeVisible()
  const arrived = admin.waitForEvent('framenavigated', (frame) => frame.url() === led)
  await wells.getByRole('button', { name: 'Lead elsewhere' }).click()
  const frame = await arrived
  const asked: string[] = []
  admin.on('request', (request) => {
    const { pathname } = new URL(request.url())
    const caller = request.headers()['x-portal-module']
    if (pathname.startsWith(base) || caller) asked.push(`${caller} ${pathname}`)
  })
  await frame.waitForLoadState('load')
  // The portal gave its ports to the page that it opened there, and gives them to no other.
  expect(await frame.evaluate(() => document.getElementById('root')?.childElementCount)).toBe(0)
  await expect(admin.getByRole('heading', { name: 'The module Wells does not answer' })).toBeVisible({
    timeout: 30_000,
  })
  await expect(admin).toHaveURL((url) => url.pathname === module.route)
  // Neither a file of the other module nor a call of either; that the frame was given up is the portal's own report.
  expect(asked).toEqual([])
  await admin.getByRole('button', { name: 'Reload' }).click()
  await expect(wells.getByRole('button', { name: 'Write a note' })).toBeVisible()
})

test('an isolated module that hints at a host has the browser connect to it, and not one octet is sent there', async () => {
  const host = await elsewhere()
  // A browser with a profile: one that keeps nothing, as other tests have it, takes no hints.
  const context = await chromium.launchPersistentContext('', {
    ...journeys.use?.launchOptions,
    baseURL: place.url,
    locale: 'en-GB',
  })
  try {
    await giveSession(context, 'admin')
    const admin = await context.newPage()
    const { wells } = await openWells(admin, host.search)
    await wells.getByRole('button', { name: 'Hint at a host' }).click()
    await expect.poll(() => host.connections.length).toBeGreaterThan(0)
    // Whatever would have followed the connection was asked for before this.
    await wells.getByRole('button', { name: 'Write a note' }).click()
    await expect(wells.getByText('A well is dry').first()).toBeVisible()
    expect(host.connections.flat()).toEqual([])
  } finally {
    await context.close()
    host.stop()
  }
})
