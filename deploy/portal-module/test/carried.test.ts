import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { gunzipSync } from 'node:zlib'
import * as sdk from '@portal/sdk'
import { adapters } from '@portal/sdk/adapters'
import { carriedContracts } from '@portal/sdk/majors'
import type { ModuleBuild } from '@portal/sdk/manifest'
import { federationName } from '@portal/sdk/registry'
import { fetchPage } from '@portal/sdk/routes'
import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest'
import { drawOnce } from '../src/harness/draw.ts'
import { fakePortal } from '../src/harness/fake-portal.ts'
import { loadBuilt } from '../src/harness/load.ts'
import { openWindow } from '../src/harness/window.ts'

/** `deploy/examples/mfe-health` as it was built with contract 1.3.0: files by name. Later portals have to run it as it is. */
const files: Record<string, string> = JSON.parse(
  gunzipSync(readFileSync(join(import.meta.dirname, 'fixtures/mfe-health-1.3.0.json.gz'))).toString(),
)
const record: ModuleBuild = JSON.parse(files['build.json'] ?? '')
const folder = mkdtempSync(join(tmpdir(), 'portal-carried-'))

/** Contract 2.0 of this test: `notify` of the host is called `tell`. */
const next = {
  contract: '2.0.0',
  sdk: {
    ...sdk,
    contractVersion: '2.0.0',
    useHost: vi.fn(() => {
      const { notify, ...host } = sdk.useHost()
      return { ...host, tell: notify }
    }),
  },
}

const before = vi.fn(sdk.useHost)

/** What lets modules of 1.x run in it. */
const adapter = {
  contract: '1.3.0',
  fetchSdk: async () => ({ ...sdk, useHost: before }),
  asModule: (exposed: unknown) => exposed,
}

beforeAll(() => {
  openWindow()
  for (const [file, text] of Object.entries(files)) writeFileSync(join(folder, file), text)
})
afterAll(() => rmSync(folder, { recursive: true, force: true }))

async function drawPage(options: Parameters<typeof loadBuilt>[2]) {
  const module = (await loadBuilt(folder, record, options)) as sdk.PortalModule
  const portal = fakePortal({ module: record, collections: record.collections, sampled: true })
  for (const { messages } of await Promise.all(module.messages.en())) sdk.i18n.load('en', messages)
  portal.speak('en')
  const [route] = module.routes(portal.host)
  if (!route) throw new Error('The module has no page.')
  return drawOnce(portal, await fetchPage(route), route.path)
}

describe('a module that was built for contract 1.x', () => {
  test('opens in a portal of 2.0 that carries the contract before', async () => {
    const { text, faults } = await drawPage({ own: next, adapters: [adapter] })
    expect(faults).toEqual([])
    expect(text).toContain('School health')
    expect(before).toHaveBeenCalled()
    expect(next.sdk.useHost).not.toHaveBeenCalled()
  })

  test('opens in the portal of today', async () => {
    const { text, faults } = await drawPage({})
    expect(faults).toEqual([])
    expect(text).toContain('School health')
  })
})

/** A container that was written by hand: it exposes the versions of the portal's package that it is given. */
function containerFor(contract: string) {
  const build = contract.startsWith('2') ? 'bbbbbbbbbbbb' : 'aaaaaaaaaaaa'
  const name = 'mfe-hand'
  const code = `globalThis.${federationName(name, build)} = {
    init(scope) { this.given = Object.keys(scope['@portal/sdk']) },
    async get() { return () => ({ default: this.given }) },
  }`
  writeFileSync(join(folder, `${build}.js`), code)
  const base = `/modules/${name}/${build}/`
  return { name, build, base, contract: `^${contract}`, entry: `${build}.js`, files: {} }
}

test('modules of two majors in one portal each get the portal that they were built for', async () => {
  const options = { own: next, adapters: [adapter] }
  const given = (contract: string) => loadBuilt(folder, containerFor(contract), options)
  expect([await given('1.3.0'), await given('2.0.0')]).toEqual([['1.3.0'], ['2.0.0']])
})

test('each contract that the portal says it carries has an adapter', () => {
  expect(adapters.map(({ contract }) => contract)).toEqual(carriedContracts.map(({ contract }) => contract))
})
