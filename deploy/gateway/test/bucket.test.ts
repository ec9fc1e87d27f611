import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { openRegistry } from '@portal/registry'
import { s3Store } from '@portal/registry/s3-store'
import fastify from 'fastify'
import { expect, onTestFinished, test } from 'vitest'
import { build, startRegistry } from '../../registry/test/ground.ts'
import { startS3 } from '../../registry/test/s3-server.ts'
import { gateway } from '../src/gateway.ts'

function emptyFolder() {
  const folder = mkdtempSync(join(tmpdir(), 'bucket-'))
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }))
  return folder
}

test('a portal elsewhere serves what was published into a bucket, and fetches each file once', async () => {
  const server = await startS3()
  const storeHere = () =>
    s3Store({ ...server, region: 'eu-west-1', key: 'key', secret: 'hidden', cache: emptyFolder() })
  const { person } = await startRegistry(storeHere)
  const [awa, moussa] = [await person('Awa'), await person('Moussa')]
  const built = build('1.0.0', {}, { 'page.js': `/* ${'page '.repeat(200)} */` })
  expect((await awa.publish(built)).status).toBe(201)
  expect((await moussa.change('mfe-health', 'promote', { version: '1.0.0' })).status).toBe(200)

  const portal = fastify()
  onTestFinished(() => portal.close())
  await gateway(portal, {
    distDir: emptyFolder(),
    apiBase: '/api',
    publicUrl: 'http://localhost',
    frameSrc: null,
    demo: true,
    registry: openRegistry({ store: storeHere() }),
  })
  const { modules } = (await portal.inject('/modules.json')).json()
  expect(modules).toMatchObject([
    { name: 'mfe-health', withheld: null },
    { name: 'mfe-users', withheld: null },
  ])
  const url = `${built.details.base}page.js`
  const answer = await portal.inject({ url, headers: { 'accept-encoding': 'br' } })
  expect(answer.headers['content-encoding']).toBe('br')
  const before = server.calls.filter((call) => call.includes('page.js')).length
  expect((await portal.inject(url)).body).toBe(built.files['page.js'])
  expect(server.calls.filter((call) => call.includes('page.js'))).toHaveLength(before)
  await moussa.change('mfe-health', 'disable')
  const disabled = async () => (await portal.inject('/modules.json')).json().modules[0].disabled
  await expect.poll(disabled, { timeout: 6_000, interval: 250 }).toBe(true)
})
