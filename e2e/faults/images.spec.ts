import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import type { Locator } from '@playwright/test'
import { makeLive } from '../publish.ts'
import { expect, test } from '../test.ts'
import { makeProbe, newName } from './probe.ts'

const pixel = Buffer.from(
  'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==',
  'base64',
)

/** A host of images, which remembers what it was asked with. */
async function imageHost() {
  const asked: { referer: string | undefined }[] = []
  const server = createServer(({ headers: { referer } }, reply) => {
    asked.push({ referer })
    reply.setHeader('content-type', 'image/png').end(pixel)
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const stop = () => new Promise((resolve) => server.close(resolve))
  return { url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`, asked, stop }
}

const widthOf = (image: Locator) =>
  image.evaluate((each: HTMLImageElement) => (each.complete ? each.naturalWidth : null))

const pictures = (named: string, other: string) =>
  makeProbe({
    name: newName('pictures'),
    contract: '1.5.0',
    list: 'pictures.js',
    mark: `${named} ${other}`,
    more: { images: [named] },
  })

test('a person sees the images of a host that was admitted with the module, and those of no other host', async ({
  person,
  expected,
}) => {
  expected.push(/img-src|Content Security Policy/)
  const [named, other] = [await imageHost(), await imageHost()]
  try {
    const module = pictures(named.url, other.url)
    await makeLive(module, { trusted: false })
    const admin = await person('admin')
    await admin.goto(module.route)
    const frame = admin.frameLocator('iframe[title="Probe"]')
    await expect.poll(() => widthOf(frame.getByAltText(named.url))).toBe(1)
    await expect.poll(() => widthOf(frame.getByAltText(other.url))).toBe(0)
    expect(named.asked).toEqual([{ referer: undefined }])
    expect(other.asked).toEqual([])
  } finally {
    await Promise.all([named.stop(), other.stop()])
  }
})

test('a trusted build draws images of no host, because the policy of the portal’s page is for all of it', async ({
  person,
  expected,
}) => {
  expected.push(/img-src|Content Security Policy/)
  const named = await imageHost()
  try {
    const module = pictures(named.url, 'https://other.example')
    await makeLive(module)
    const admin = await person('admin')
    await admin.goto(module.route)
    await expect.poll(() => widthOf(admin.getByAltText(named.url))).toBe(0)
    expect(named.asked).toEqual([])
  } finally {
    await named.stop()
  }
})
