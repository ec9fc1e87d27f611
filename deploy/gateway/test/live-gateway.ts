import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { modulesAddress } from '@portal/contracts/modules-address'
import { openRegistry, type PortalRegistry } from '@portal/registry'
import { publishRelease } from '@portal/registry/release'
import { makeKey } from '@portal/registry/release-key'
import type { Entry } from '@portal/registry/schemas'
import { integrityOf, signBuild } from '@portal/registry/signing'
import { diskStore } from '@portal/registry/store'
import type { ModuleBuild } from '@portal/sdk/manifest'
import fastify, { type FastifyInstance } from 'fastify'
import { afterEach, beforeEach } from 'vitest'
import { gateway } from '../src/gateway.ts'

const label = (text: string) => ({ en: text, fr: text })
export const key = { id: 'release-test', jwk: makeKey() }
export const builds = { '1.0.0': '0123456789ab', '1.1.0': 'ba9876543210', '1.2.0': 'cccccccccccc' }
export type Version = keyof typeof builds

/** What a test has: the gateway, its registry and folder, and who asks it for pages. */
type LiveGateway = {
  folder: string
  registry: PortalRegistry
  app: FastifyInstance
  who: { id: number; roles: { name: string }[] } | null
}
export const live = {} as LiveGateway

/** Starts a gateway before each test, with one module of the product live in version 1.0.0. */
export function startLiveGateway() {
  beforeEach(async () => {
    live.folder = mkdtempSync(join(tmpdir(), 'gateway-'))
    write('dist/shell/portal.en.html', '<html lang="en"><head></head><body>__INLINE__</body></html>')
    write('dist/shell/early.json', JSON.stringify({ en: { '*': '<link id="styles">' }, fr: {} }))
    live.registry = openRegistry({ store: diskStore(join(live.folder, 'registry')) })
    live.who = { id: 1, roles: [] }
    await release('1.0.0')
    await start()
  })
  afterEach(async () => {
    await live.app.close()
    rmSync(live.folder, { recursive: true })
  })
}

export function write(path: string, text: string) {
  mkdirSync(join(live.folder, path, '..'), { recursive: true })
  writeFileSync(join(live.folder, path), text)
}

/** Writes the output of a build: the product with one module in one version. */
export function built(version: Version, contract = '^1.0.0') {
  const build = builds[version]
  const base = `/modules/mfe-users/${build}/`
  const script = `/* entry of ${version} */`
  const details: ModuleBuild = {
    name: 'mfe-users',
    title: label('Users'),
    owner: { name: 'A team', contact: 'team@portal.example' },
    contract,
    routes: ['/admin/users'],
    permission: 'users.view',
    nav: [{ path: '/admin/users', label: label('Users'), icon: 'users', order: 50, children: [] }],
    cards: [],
    permissions: [{ name: 'users.greet', label: label('Greet') }],
    collections: [],
    version,
    build,
    base,
    entry: 'remoteEntry.js',
    files: { 'remoteEntry.js': integrityOf(script) },
    preloads: { '/admin/users': [] },
    shared: {},
    words: { en: [], fr: [], same: 0 },
    sources: [],
  }
  const record = JSON.stringify(details)
  write(`dist${base}remoteEntry.js`, script)
  write(`dist${base}picture.svg`, '<svg xmlns="http://www.w3.org/2000/svg"><script>steal()</script></svg>')
  write(`dist${base}sources.map`, '{}')
  write(`dist${base}page.html`, '<script>steal()</script>')
  write(`dist${base}build.json`, record)
  const module = { ...details, integrity: integrityOf(record), previous: null, signature: null }
  write('dist/modules.json', JSON.stringify({ generation: 1, shell: 'aaaaaaaaaaaa', modules: [module] }))
}

export async function release(version: Version) {
  built(version)
  await publishRelease(live.registry, join(live.folder, 'dist'), key)
}

/** Publishes a build that nobody promotes. */
export async function publishOnly(version: Version, contract?: string) {
  const { folder, registry } = live
  const before = readFileSync(join(folder, 'dist/modules.json'))
  built(version, contract)
  const build = builds[version]
  const record = readFileSync(join(folder, `dist/modules/mfe-users/${build}/build.json`), 'utf8')
  writeFileSync(join(folder, 'dist/modules.json'), before)
  const signed = { name: 'mfe-users', version, build, integrity: integrityOf(record) }
  for (const name of ['remoteEntry.js', 'build.json']) {
    const path = `modules/mfe-users/${build}/${name}`
    await registry.store.adopt(join(folder, 'dist', path), path)
  }
  await registry.builds.publish({
    ...{ ...signed, signature: await signBuild(key, signed), key: key.id, person: 'Release' },
    ...{ at: new Date().toISOString(), release: true, checks: [] },
  })
}

/** Changes the live entries without any check, as an attacker with write access to the store can. */
export const forge = (change: Partial<Entry>) =>
  live.registry.generations.change(undefined, ({ modules }) => ({
    what: 'promote',
    by: 'nobody',
    modules: modules.map((entry) => ({ ...entry, ...change })),
  }))

export async function start(moduleOverride = true, modulesUrl?: string) {
  live.app = fastify()
  await gateway(live.app, {
    distDir: join(live.folder, 'dist'),
    apiBase: '/api',
    publicUrl: 'http://localhost',
    frameSrc: null,
    session: async () => ({ user: live.who }),
    registry: live.registry,
    moduleOverride,
    ...(modulesUrl && { modulesAt: modulesAddress(modulesUrl) }),
  })
}

export const page = async (cookie = '') =>
  (await live.app.inject({ url: '/admin/users', headers: { cookie } })).body
export const onPage = async (cookie = '') =>
  JSON.parse(/id="registry">(.*?)<\/script>/.exec(await page(cookie))?.[1] ?? '')
