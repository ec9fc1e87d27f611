import { cpSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { gunzipSync } from 'node:zlib'
import type { FrameLocator, Page } from '@playwright/test'
import { rights } from '@portal/registry/schemas'
import type { ModuleBuild } from '@portal/sdk/manifest'
import { rows } from '../database.ts'
import { makeLive, takeOut } from '../publish.ts'
import { place } from '../stage/place.ts'
import { registryOf } from '../stage/publishing.ts'
import { expect, expectAccessible, test } from '../test.ts'
import {
  carried,
  makeNextPortal,
  nextContract,
  packFrom,
  releaseFrom,
  startNextPortal,
} from '../versions/next-portal.ts'
import { asSent, installPackages, portalModule, readModule, typeFaults } from './new-module.ts'
import { operator } from './publisher.ts'

/**
 * The next major of the contract, from the day of its release to the day after a rollback: for a build of 1.3.0 as it was
 * published then, and for the team that upgrades the module. Portal and packages of 2.0 are made of these sources with a patch.
 */
const name = 'mfe-health'
const root = join(import.meta.dirname, '../..')
const example = join(root, 'deploy/examples/mfe-health')
const fixture = join(root, 'deploy/portal-module/test/fixtures/mfe-health-1.3.0.json.gz')

/** The example as it was built with contract 1.3.0. */
function buildOfThen() {
  const files: Record<string, string> = JSON.parse(gunzipSync(readFileSync(fixture)).toString())
  const text = files['build.json'] ?? ''
  const record = JSON.parse(text) as ModuleBuild
  return { record, text, files: asSent(record, (file) => Buffer.from(files[file] ?? '')) }
}

let folder: string
let dir: string
let next: string
let nextPortal: Awaited<ReturnType<typeof startNextPortal>> | undefined
const vendor = (of: 'today' | 'next') => join(folder, `packages-${of}`)

test.beforeAll(async () => {
  test.setTimeout(300_000)
  folder = mkdtempSync(join(tmpdir(), 'portal-contract-'))
  dir = join(folder, name)
  next = join(test.info().project.outputDir, 'portal-of-next')
  mkdirSync(next, { recursive: true })
  await Promise.all([
    makeNextPortal(next).then(() => packFrom(next, vendor('next'))),
    packFrom(root, vendor('today')),
  ])
  await makeTeam()
})
test.afterAll(async () => {
  await nextPortal?.stop()
  await releaseFrom()
  await takeOut(name)
  await rows(`delete from module_records where module = '${name}'`)
  for (const each of [folder, next]) rmSync(each, { recursive: true, force: true })
})

/** The team's sources: the example, as somebody wrote it who began with contract 1.1. */
async function makeTeam() {
  cpSync(example, dir, {
    recursive: true,
    filter: (file) => !/node_modules|dist$|vendor$|package-lock/.test(file),
  })
  cpSync(vendor('today'), join(dir, 'vendor'), { recursive: true })
  const change = (file: string, from: string, to: string) => {
    const text = readFileSync(join(dir, file), 'utf8')
    expect(text).toContain(from)
    writeFileSync(join(dir, file), text.replace(from, to))
  }
  change('src/module.ts', 'lazy:', 'page:')
  change('src/visits/VisitsPage.tsx', 'import { useCan }', 'import { Link, useCan }')
  change(
    'src/visits/VisitsPage.tsx',
    '<strong>{data.student}</strong>',
    '<Link to={"/admin/health?search=" + data.student}>{data.student}</Link>',
  )
  await installPackages(dir)
}

/** Makes a key with the command, which the operator of the portal registers. */
async function register(id: string, person: string) {
  await portalModule(dir, 'key', id, '--person', person)
  const half = JSON.parse(readFileSync(join(dir, `${id}.public.json`), 'utf8'))
  await operator.keys.add({
    ...{ id, person, name: id, public: half.public ?? half, modules: [name] },
    ...{ may: [...rights], retired: false },
  })
}

const trust = (build: string, trusted: boolean) =>
  registryOf(place.folder).decideTrust({ by: 'administrator of journeys', name, build, trusted })

/** Opens the module, isolated or trusted, and waits for a row of it. */
async function open(page: Page, portal: string, trusted: boolean, row: string) {
  let at: Page | FrameLocator = page
  await expect(async () => {
    await page.goto(`${portal}/admin/health`)
    const frame = page.locator('iframe.module-frame')
    at = trusted ? page : page.frameLocator('iframe.module-frame:not(.not-drawn)')
    await expect(at.getByText(row).first()).toBeVisible({ timeout: 10_000 })
    await expect(frame).toHaveCount(trusted ? 0 : 1)
  }).toPass({ timeout: 60_000 })
  return at
}

/** Records a visit, of which the portal tells by a message that the module sends. */
async function record(page: Page, at: Page | FrameLocator, student: string) {
  await at.getByRole('button', { name: 'Record a visit' }).first().click()
  const form = at.getByRole('dialog')
  await form.getByLabel('Student').fill(student)
  await form.getByLabel('School').fill('Coura Nord')
  await form.getByLabel('Reason').selectOption({ index: 1 })
  await form.getByLabel('Outcome').selectOption({ index: 1 })
  await form.getByRole('button', { name: 'Record', exact: true }).click()
  await expect(page.getByText('Saved', { exact: true }).first()).toBeVisible()
  await expect(at.getByText(student).first()).toBeVisible()
}

/** Whether the page, or the frame in it, has given a module what the contract of 1.x was. */
async function hasAdapted(page: Page, trusted: boolean): Promise<boolean> {
  const frame = page.frames().find((each) => each.url().includes(`/${name}/`))
  const scopes = await (trusted ? page.mainFrame() : frame)?.evaluate(() => {
    const { __FEDERATION__: found } = globalThis as unknown as {
      __FEDERATION__: { __INSTANCES__: { shareScopeMap: object }[] }
    }
    return found.__INSTANCES__.flatMap(({ shareScopeMap }) => Object.keys(shareScopeMap))
  })
  return scopes?.includes('contract-1') ?? false
}

test('a partner’s build of 1.3.0 goes on in a portal of 2.0, its team upgrades with the command, and portals go back and forward', async ({
  person,
}, info) => {
  test.setTimeout(400_000)
  const then = buildOfThen()
  await makeLive(then, { trusted: false })
  const admin = await person('admin')
  await expect
    .poll(async () => (await (await admin.request.get('/api/session')).json()).permissions)
    .toContain('health.record')
  const keep = (what: string) => admin.screenshot({ path: info.outputPath(`${what}.png`) })
  const stateOf = () => admin.getByRole('row').filter({ hasText: name })

  await test.step('today', async () => {
    await admin.goto('/admin/health')
    await record(admin, admin.frameLocator('iframe.module-frame:not(.not-drawn)'), 'Aminata Traoré')
    await keep('1-today')
  })

  await test.step('the operator installs the portal of 2.0', async () => {
    await releaseFrom(next)
    nextPortal = await startNextPortal(next)
    const framed = await open(admin, nextPortal.url, false, 'Aminata Traoré')
    await record(admin, framed, 'Fatoumata Diop')
    await keep('2-isolated-by-adapter')
    expect(await hasAdapted(admin, false)).toBe(true)
    await trust(then.record.build, true)
    const inPage = await open(admin, nextPortal.url, true, 'Fatoumata Diop')
    await record(admin, inPage, 'Ndèye Sow')
    expect(await hasAdapted(admin, true)).toBe(true)
    await keep('3-trusted-by-adapter')
    await trust(then.record.build, false)
  })

  await test.step('administrators and the team read until when', async () => {
    await admin.goto(`${nextPortal?.url}/admin/modules`)
    await expect(stateOf()).toContainText('for contract ^1.3.0, by an adapter until 30/11/2029')
    await expectAccessible(admin, 'modules that run by the adapter')
    await keep('4-modules')
    await register('awa-health', 'Awa Keïta')
    await register('moussa-health', 'Moussa Sarr')
    const checked = await portalModule(dir, 'check', '--portal', place.url)
    expect(checked).toContain(`! contract: The portal has contract ${nextContract} and runs builds for`)
    expect(checked).toContain(`by an adapter until ${carried.until}`)
    expect(checked).toContain('Link of @portal/sdk goes after 2027-11-30: import it from react-router-dom')
    expect(checked).toContain('page of a route goes after 2027-11-30: write lazy')
    expect(await portalModule(dir, 'status', '--portal', place.url)).toContain(
      `for contract ^1.3.0, by an adapter until ${carried.until}`,
    )
  })

  await test.step('the team upgrades with the command', async () => {
    expect(await portalModule(dir, 'upgrade', '--vendor', vendor('next'))).toContain(
      `portal-sdk-${nextContract}.tgz`,
    )
    await installPackages(dir)
    const did = await portalModule(dir, 'upgrade')
    expect(did.split('\n')).toEqual([
      `src/module.ts: lazy in place of page, contract ${nextContract}`,
      'src/visits/VisitsPage.tsx: Link of react-router-dom',
      'src/visits/useTellOfReferral.ts: tell in place of notify',
      `portal.module.json: contract ^${nextContract}`,
      'Read the changes, then npm run types and npm test.',
      '',
    ])
    expect(await portalModule(dir, 'upgrade')).toMatch(/^Nothing is left to change for contract 2\.0\.0/)
    expect(await typeFaults(dir)).toBe('')
    const manifest = readFileSync(join(dir, 'package.json'), 'utf8')
    writeFileSync(join(dir, 'package.json'), manifest.replace('"version": "1.0.0"', '"version": "2.0.0"'))
  })

  await test.step('and publishes what it has', async () => {
    const command = (act: string, key: string) =>
      portalModule(dir, act, '--key', `${key}-health.key.json`, '--portal', place.url)
    expect(await command('publish', 'awa')).toContain('mfe-health 2.0.0 is published')
    const { build } = readModule(dir).record
    await operator.admit({ by: 'administrator of journeys', name, build, trusted: false })
    expect(await command('promote', 'moussa')).toMatch(/2\.0\.0 .*live/)
    await admin.goto(`${nextPortal?.url}/admin/modules`)
    await expect(stateOf()).toContainText('1.0.0 stands by for contract ^1.3.0')
    await expect(stateOf()).not.toContainText('by an adapter')
    await keep('5-modules-after')
    await expectBuild(admin, nextPortal?.url ?? '', build)
    await keep('6-of-2.0')
  })

  const upgraded = readModule(dir).record.build
  await test.step('the operator goes back to 1.x, and forward again', async () => {
    await releaseFrom()
    await expectBuild(admin, place.url, then.record.build)
    await releaseFrom(next)
    await expectBuild(admin, nextPortal?.url ?? '', upgraded)
  })
})

/** Opens the module in a tab and looks which build runs in its frame: one that was made for the portal, without the adapter. */
async function expectBuild(page: Page, portal: string, build: string) {
  const at = await open(page, portal, false, 'Ndèye Sow')
  await expect(page.locator('iframe.module-frame')).toHaveAttribute('src', new RegExp(`/${name}/${build}`))
  await record(page, at, `Visit seen by ${build}`)
  expect(await hasAdapted(page, false)).toBe(false)
}
