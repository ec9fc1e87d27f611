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
import { afterEach, beforeEach, describe, expect, onTestFinished, test, vi } from 'vitest'
import { gateway } from '../src/gateway.ts'

const label = (text: string) => ({ en: text, fr: text })
const key = { id: 'release-test', jwk: makeKey() }
const builds = { '1.0.0': '0123456789ab', '1.1.0': 'ba9876543210', '1.2.0': 'cccccccccccc' }
type Version = keyof typeof builds

let folder: string
let registry: PortalRegistry
let app: FastifyInstance
let who: { id: number; roles: { name: string }[] } | null

const write = (path: string, text: string) => {
  mkdirSync(join(folder, path, '..'), { recursive: true })
  writeFileSync(join(folder, path), text)
}

/** Writes the output of a build: the product with one module in one version. */
function built(version: Version, contract = '^1.0.0') {
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

const release = async (version: Version) => {
  built(version)
  await publishRelease(registry, join(folder, 'dist'), key)
}

/** Publishes a build that nobody promotes. */
async function publishOnly(version: Version, contract?: string) {
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
const forge = (change: Partial<Entry>) =>
  registry.generations.change(undefined, ({ modules }) => ({
    what: 'promote',
    by: 'nobody',
    modules: modules.map((entry) => ({ ...entry, ...change })),
  }))

async function start(moduleOverride = true, modulesUrl?: string) {
  app = fastify()
  await gateway(app, {
    distDir: join(folder, 'dist'),
    apiBase: '/api',
    publicUrl: 'http://localhost',
    frameSrc: null,
    session: async () => ({ user: who }),
    registry,
    moduleOverride,
    ...(modulesUrl && { modulesAt: modulesAddress(modulesUrl) }),
  })
}

const page = async (cookie = '') => (await app.inject({ url: '/admin/users', headers: { cookie } })).body
const onPage = async (cookie = '') =>
  JSON.parse(/id="registry">(.*?)<\/script>/.exec(await page(cookie))?.[1] ?? '')

beforeEach(async () => {
  folder = mkdtempSync(join(tmpdir(), 'gateway-'))
  write('dist/shell/portal.en.html', '<html lang="en"><head></head><body>__INLINE__</body></html>')
  write('dist/shell/early.json', JSON.stringify({ en: { '*': '<link id="styles">' }, fr: {} }))
  registry = openRegistry({ store: diskStore(join(folder, 'registry')) })
  who = { id: 1, roles: [] }
  await release('1.0.0')
  await start()
})
afterEach(async () => {
  await app.close()
  rmSync(folder, { recursive: true })
})

describe('a page', () => {
  test('has the live modules, without fields that only the server uses', async () => {
    const { generation, shell, modules } = await onPage()
    expect({ generation, shell }).toEqual({ generation: 1, shell: 'aaaaaaaaaaaa' })
    expect(Object.keys(modules[0]).sort()).toEqual([
      'base',
      'build',
      'contract',
      'integrity',
      'name',
      'nav',
      'owner',
      'permission',
      'previous',
      'routes',
      'title',
      'version',
    ])
    expect(await page()).toContain(`href="/modules/mfe-users/${builds['1.0.0']}/remoteEntry.js" integrity="`)
    const { modules: whole } = (await app.inject('/modules.json')).json()
    expect(whole[0]).toMatchObject({ signature: expect.any(String), permissions: [{ name: 'users.greet' }] })
  })

  test('has a new generation at the next request, also if another process made it', async () => {
    expect((await onPage()).modules[0].version).toBe('1.0.0')
    const other = openRegistry({ store: diskStore(join(folder, 'registry')) })
    built('1.1.0')
    await publishRelease(other, join(folder, 'dist'), key)
    expect((await onPage()).modules[0]).toMatchObject({ version: '1.1.0', previous: { version: '1.0.0' } })
    await other.change({ name: 'mfe-users', action: 'rollback', generation: 2, by: 'administrator' })
    expect((await onPage()).modules[0].version).toBe('1.0.0')
  })

  test('keeps what was live when the registry cannot be read', async () => {
    await onPage()
    await app.close()
    const { store } = registry
    let there = true
    const exists = (at: string) => (there ? store.exists(at) : Promise.reject(new Error('gone')))
    registry = openRegistry({ store: { ...store, exists } })
    await start()
    await onPage()
    there = false
    expect((await onPage()).modules[0].version).toBe('1.0.0')
  })

  test('finds files of a build in the registry when the build folder no longer has them', async () => {
    rmSync(join(folder, 'dist/modules'), { recursive: true })
    const answer = await app.inject(`/modules/mfe-users/${builds['1.0.0']}/remoteEntry.js`)
    expect(answer.body).toBe('/* entry of 1.0.0 */')
    expect((await app.inject('/modules/mfe-users/../../generations/00000001.json')).statusCode).toBe(404)
    expect((await app.inject('/modules/~/x.js')).statusCode).toBe(404)
  })
})

describe('files of a module', () => {
  const policyOf = ({ headers }: { headers: Record<string, unknown> }) =>
    String(headers['content-security-policy'])
  const file = (version: Version, name = 'remoteEntry.js') =>
    app.inject(`/modules/mfe-users/${builds[version]}/${name}`)
  const statusOf = async (version: Version, name?: string) => (await file(version, name)).statusCode

  test('cannot act when somebody opens one of them: no scripts, no forms, no origin', async () => {
    const picture = await file('1.0.0', 'picture.svg')
    expect(picture.headers['content-type']).toMatch(/^image\/svg\+xml/)
    expect(policyOf(picture)).toBe(
      "default-src 'none'; script-src 'none'; style-src 'unsafe-inline'; frame-ancestors 'none'; sandbox",
    )
    expect(policyOf(await file('1.0.0', 'build.json'))).toMatch(/script-src 'none'; .*sandbox$/)
    expect(policyOf(await file('1.0.0', 'gone.css'))).toMatch(/sandbox$/)
    const script = await file('1.0.0')
    expect(script.headers['content-type']).toMatch(/^text\/javascript/)
    expect(policyOf(script)).not.toContain('sandbox')
    expect(await file('1.0.0', 'page.html')).toMatchObject({ statusCode: 404 })
    expect(await file('1.0.0', 'sources.map')).toMatchObject({ statusCode: 404 })
  })

  test('are sent of what is live or was live before, and of nothing that was only built', async () => {
    built('1.1.0')
    expect(await statusOf('1.1.0')).toBe(404)
    await release('1.1.0')
    expect([await statusOf('1.0.0'), await statusOf('1.1.0')]).toEqual([200, 200])
  })

  test('of a revoked build are gone at once, also in its open tabs', async () => {
    await release('1.1.0')
    expect(await statusOf('1.0.0', 'build.json')).toBe(200)
    const why = { by: 'operator', name: 'mfe-users', reason: 'it leaks' }
    await registry.changes.revoke({ ...why, version: '1.0.0' })
    for (const name of ['remoteEntry.js', 'build.json', 'picture.svg'])
      expect([name, await statusOf('1.0.0', name)]).toEqual([name, 404])
    expect(await statusOf('1.1.0')).toBe(200)
    await registry.changes.revoke({ ...why, version: '1.1.0' })
    expect(await statusOf('1.1.0')).toBe(404)
  })

  test('signed with a revoked key are gone at once', async () => {
    expect(await statusOf('1.0.0')).toBe(200)
    await registry.revocations.revokeKey(key.id, { by: 'operator', at: '', reason: 'stolen' })
    await forge({})
    expect(await statusOf('1.0.0')).toBe(404)
  })

  test('stay for the tabs that were open when their build was replaced, for thirty days', async () => {
    vi.useFakeTimers({ toFake: ['Date'] })
    onTestFinished(() => void vi.useRealTimers())
    await release('1.1.0')
    await release('1.2.0')
    vi.setSystemTime(Date.now() + 29 * 86_400_000)
    expect(await statusOf('1.0.0')).toBe(200)
    vi.setSystemTime(Date.now() + 2 * 86_400_000)
    expect(await statusOf('1.0.0')).toBe(404)
    expect([await statusOf('1.1.0'), await statusOf('1.2.0')]).toEqual([200, 200])
    await app.close()
    await start()
    expect([await statusOf('1.0.0'), await statusOf('1.1.0')]).toEqual([404, 200])
  })

  test('of a canary are sent to its people and to nobody else', async () => {
    await publishOnly('1.1.0')
    const canary = { by: 'Awa', name: 'mfe-users', version: '1.1.0', canary: { roles: ['School Officer'] } }
    await registry.changes.promote({ ...canary, generation: 1 })
    const statusFor = async (...roles: string[]) => {
      who = { id: 1, roles: roles.map((name) => ({ name })) }
      return file('1.1.0')
    }
    const seen = await statusFor('School Officer')
    expect(seen.statusCode).toBe(200)
    expect(seen.headers['cache-control']).toMatch(/^private/)
    expect((await statusFor('Auditor')).statusCode).toBe(404)
    who = null
    expect(await statusOf('1.1.0')).toBe(404)
    expect((await file('1.0.0')).headers['cache-control']).toMatch(/^public/)
  })

  test('are found by a machine that has not seen the newest generation yet', async () => {
    await app.close()
    registry = openRegistry({ store: { ...diskStore(join(folder, 'registry')), near: false } })
    await start()
    expect(await statusOf('1.0.0')).toBe(200)
    const other = openRegistry({ store: diskStore(join(folder, 'registry')) })
    built('1.1.0')
    await publishRelease(other, join(folder, 'dist'), key)
    expect(await statusOf('1.1.0')).toBe(200)
  })

  test('and the page of a frame are found by a machine that has not seen a new module yet', async () => {
    await app.close()
    const store = join(folder, 'new')
    registry = openRegistry({ store: { ...diskStore(store), near: false } })
    write('dist/shell/isolated.en.html', '<html lang="en"><body>__INLINE__</body></html>')
    write('dist/shell/assets/frame.0123456789abcdef.js', '/* the program of frames */')
    await start(false, 'http://*.modules.test')
    const headers = { host: 'mfe-users.modules.test' }
    const statusAt = async (url: string) => (await app.inject({ url, headers })).statusCode
    const program = '/assets/frame.0123456789abcdef.js'
    expect(await statusAt(program)).toBe(404)
    // A person whose page came from another machine is led to this one.
    await publishRelease(openRegistry({ store: diskStore(store) }), join(folder, 'dist'), key)
    expect([await statusAt(program), await statusAt(`/frame/mfe-users/${builds['1.0.0']}`)]).toEqual([
      200, 200,
    ])
    built('1.1.0')
    await publishRelease(openRegistry({ store: diskStore(store) }), join(folder, 'dist'), key)
    expect(await statusAt(`/frame/mfe-users/${builds['1.1.0']}`)).toBe(200)
  })
})

describe('a module stays in the menu, and none of its code is named', () => {
  const cases: [string, string, () => Promise<unknown>][] = [
    ['that nobody signed', 'unsigned', () => forge({ signature: null })],
    ['whose signature is over another build', 'signature', () => forge({ version: '9.9.9' })],
    [
      'signed by a key of another module',
      'signature',
      async () => {
        const known = await registry.keys.read(key.id)
        if (known) await registry.keys.replace({ ...known, modules: ['mfe-water'] })
        await forge({})
      },
    ],
    [
      'signed by nobody we know',
      'signature',
      async () => {
        await registry.store.remove(`keys/${key.id}.json`)
        await forge({})
      },
    ],
    [
      'that was revoked',
      'revoked',
      () =>
        registry.changes.revoke({ by: 'operator', name: 'mfe-users', version: '1.0.0', reason: 'it leaks' }),
    ],
    [
      'whose record was tampered with',
      'broken',
      async () => {
        const path = `modules/mfe-users/${builds['1.0.0']}/build.json`
        const text = readFileSync(join(folder, 'registry', path), 'utf8')
        await registry.store.replace(path, text.replace('remoteEntry.js', 'evil.js'))
        await forge({})
      },
    ],
    ['whose entry says more than its record', 'broken', () => forge({ permission: 'users.greet' })],
  ]
  test.each(cases)('%s', async (_what, withheld, act) => {
    await act()
    expect((await onPage()).modules[0]).toMatchObject({
      name: 'mfe-users',
      withheld,
      nav: [{ path: '/admin/users' }],
    })
    expect(await page()).not.toContain('remoteEntry.js')
  })
})

test('a partner’s build runs in a frame, in the page once it is trusted, and nowhere without an origin for frames', async () => {
  const name = 'mfe-users'
  const build = builds['1.0.0']
  const record = `builds/${name}/1.0.0+${build}.json`
  const own = JSON.parse(readFileSync(join(folder, 'registry', record), 'utf8'))
  const admitted = { by: 'Awa', at: new Date().toISOString() }
  const trust = (trusted: boolean) =>
    registry.admissions.decide(name, build, admitted, { ...admitted, trusted })
  const opened = async (modulesUrl?: string) => {
    await app.close()
    registry = openRegistry({ store: diskStore(join(folder, 'registry')) })
    await start(true, modulesUrl)
    return (await onPage()).modules[0]
  }
  await registry.store.replace(record, JSON.stringify({ ...own, release: false }))
  expect(await opened('http://modules.example')).toMatchObject({ isolated: 'http://modules.example' })
  // The page fetches its files for the frame, and runs none of them.
  expect(await page()).toMatch(/as="fetch"[^>]*remoteEntry\.js/)
  expect(await page()).not.toMatch(/(as="script"|<script)[^>]*remoteEntry\.js/)
  expect(await opened()).toMatchObject({ withheld: 'isolated' })
  await trust(true)
  expect(await opened('http://modules.example')).toMatchObject({ trusted: true })
  expect(await opened('http://modules.example')).not.toHaveProperty('isolated')
  expect(await opened()).not.toHaveProperty('withheld')
  await trust(false)
  const framed = await opened('http://modules.example')
  expect(framed).toMatchObject({ isolated: 'http://modules.example' })
  expect(framed).not.toHaveProperty('trusted')
  // Each may have a host of its own.
  expect(await opened('http://*.modules.example')).toMatchObject({
    isolated: 'http://mfe-users.modules.example',
  })
})

describe('a canary', () => {
  const tried = async (share: { percent: number } | { roles: string[] }) => {
    await release('1.1.0')
    await registry.change({ name: 'mfe-users', action: 'rollback', generation: 2, by: 'administrator' })
    await registry.changes.promote({
      by: 'Awa',
      name: 'mfe-users',
      generation: 3,
      version: '1.1.0',
      canary: share,
    })
  }
  const versionFor = async (id: number, ...roles: string[]) => {
    who = { id, roles: roles.map((name) => ({ name })) }
    return (await onPage()).modules[0].version
  }

  test('goes to about the given share of people, and always to the same ones', async () => {
    await tried({ percent: 20 })
    const first = new Map<number, string>()
    for (let id = 1; id <= 400; id += 1) first.set(id, await versionFor(id))
    const share = [...first.values()].filter((version) => version === '1.1.0').length / 400
    expect(share).toBeGreaterThan(0.14)
    expect(share).toBeLessThan(0.26)
    await app.close()
    await start()
    for (const id of [1, 2, 3, 50, 99, 200, 333]) expect(await versionFor(id)).toBe(first.get(id))
  })

  test('for a role goes to people with that role, and to nobody else', async () => {
    await tried({ roles: ['School Officer'] })
    expect(await versionFor(1, 'Auditor', 'School Officer')).toBe('1.1.0')
    expect(await versionFor(1, 'Auditor')).toBe('1.0.0')
    who = null
    expect((await onPage()).modules[0].version).toBe('1.0.0')
    expect((await app.inject('/modules.json')).json().modules[0].version).toBe('1.0.0')
  })

  test('with an invalid signature goes to nobody', async () => {
    await tried({ roles: ['School Officer'] })
    const { modules } = await registry.now()
    const canary = modules[0]?.canary
    if (canary) await forge({ canary: { ...canary, module: { ...canary.module, signature: null } } })
    expect(await versionFor(1, 'School Officer')).toBe('1.0.0')
  })
})

describe('a build for another major of the contract', () => {
  const asked = { by: 'Awa', name: 'mfe-users', generation: 1, version: '1.1.0' }

  test('is on the page for tabs that need it, with its files and without what no page reads', async () => {
    await publishOnly('1.1.0', '^2.0.0')
    await registry.changes.promote(asked)
    const [{ version, beside }] = (await onPage()).modules
    expect([version, beside]).toEqual(['1.0.0', [expect.objectContaining({ version: '1.1.0' })]])
    for (const field of ['signature', 'permissions', 'collections', 'disabled'])
      expect(beside[0]).not.toHaveProperty(field)
    const file = await app.inject(`/modules/mfe-users/${builds['1.1.0']}/remoteEntry.js`)
    expect([file.statusCode, file.body]).toEqual([200, '/* entry of 1.1.0 */'])
  })

  test('that some people try leaves them the one of before, for tabs that are still open', async () => {
    const facts = { build: 'aaaaaaaaaaaa', shared: {}, routes: [], permissions: [] }
    const shell = JSON.stringify({ ...facts, contract: '2.0.0', carries: ['1.3.0'] })
    await registry.store.replace('shells/aaaaaaaaaaaa.json', shell)
    await publishOnly('1.1.0', '^2.0.0')
    await registry.changes.promote({ ...asked, canary: { roles: ['School Officer'] } })
    who = { id: 1, roles: [{ name: 'School Officer' }] }
    expect((await onPage()).modules).toMatchObject([{ version: '1.1.0', beside: [{ version: '1.0.0' }] }])
    who = { id: 1, roles: [{ name: 'Auditor' }] }
    expect((await onPage()).modules[0].version).toBe('1.0.0')
    expect((await onPage()).modules[0].beside).toBeUndefined()
  })
})

describe('a module from a developer’s own machine', () => {
  const ask = (query: string, headers = {}) => app.inject({ url: `/dev/override?${query}`, headers })

  test('is taken by the browser that asked for it, and by no other', async () => {
    const answer = await ask('module=mfe-users&port=5177')
    expect(answer.statusCode).toBe(302)
    expect(answer.headers.location).toBe('/admin/users')
    const [cookie = ''] = String(answer.headers['set-cookie']).split(';')
    expect(answer.headers['set-cookie']).toMatch(/; Max-Age=28800; HttpOnly; SameSite=Strict$/)
    expect((await onPage(cookie)).modules[0]).toMatchObject({
      base: 'http://localhost:5177/',
      override: true,
    })
    expect((await onPage()).modules[0].override).toBeUndefined()
    const { headers } = await app.inject({ url: '/home', headers: { cookie } })
    expect(headers['content-security-policy']).toContain("script-src 'self' http://localhost:5177;")
    expect(headers['content-security-policy']).toContain("connect-src 'self' http://localhost:5177;")
    expect(headers['integrity-policy']).toBe('blocked-destinations=(script)')
    expect(String((await app.inject('/home')).headers['content-security-policy'])).not.toContain('localhost')
    expect(await page(cookie)).not.toContain('/modules/mfe-users/')
    // The shell then shows the federation dev tools what it loads.
    expect(await page(cookie)).toContain('<html data-development lang="en">')
    expect(await page()).not.toContain('data-development')
    const reset = await app.inject('/dev/override/reset')
    expect(reset.headers['set-cookie']).toMatch(/^portal_override=; Path=\/; Max-Age=0/)
  })

  test('may be one that the portal does not have yet', async () => {
    const answer = await ask('module=mfe-health&port=5177&to=/admin/health')
    expect(answer.headers.location).toBe('/admin/health')
    const { modules } = await onPage('portal_override=mfe-health.5177')
    expect(modules[1]).toMatchObject({ name: 'mfe-health', override: true, routes: [] })
  })

  test.each([
    'module=mfe-users&port=80',
    'module=mfe-users&port=5177@evil.example',
    'module=mfe-users&port=99999',
    'module=users&port=5177',
  ])('is never elsewhere than there (%s)', async (query) => {
    const answer = await ask(query)
    expect(answer.statusCode).toBe(422)
    expect(answer.headers['set-cookie']).toBeUndefined()
  })

  test('is not taken because of a cookie or a link that somebody else made', async () => {
    expect((await ask('module=mfe-users&port=5177', { 'sec-fetch-site': 'cross-site' })).statusCode).toBe(403)
    for (const cookie of ['portal_override=mfe-users.5177@evil.example', 'portal_override=mfe-users.22'])
      expect((await onPage(cookie)).modules[0].override).toBeUndefined()
    expect((await ask('module=mfe-users&port=5177&to=//evil.example')).headers.location).toBe('/admin/users')
  })

  test('runs in a frame of the second address when the developer asks for that, with nothing but her machine open to it', async () => {
    const key = 'a'.repeat(32)
    const isolated = `module=mfe-users&port=5177&key=${key}&kind=isolated`
    expect((await ask(isolated)).json().message).toMatch(/set PORTAL_MODULES_URL/)
    await app.close()
    write('dist/shell/isolated.en.html', '<html lang="en"><head></head><body>__INLINE__</body></html>')
    await start(true, 'http://modules.test')
    const [cookie = ''] = String((await ask(isolated)).headers['set-cookie']).split(';')
    const base = `http://localhost:5177/${key}/`
    expect((await onPage(cookie)).modules[0]).toMatchObject({
      base,
      override: true,
      isolated: 'http://modules.test',
    })
    const host = { host: 'modules.test' }
    const frame = (from: string) =>
      app.inject({ url: `/frame/mfe-users/000000000000?from=${from}`, headers: host })
    const { headers, body } = await frame(`5177/${key}`)
    expect(body).toContain(`"base":"${base}"`)
    expect(headers['content-security-policy']).toContain(
      `script-src http://modules.test/assets/ ${base} 'wasm-unsafe-eval';`,
    )
    expect(headers['content-security-policy']).toContain('sandbox allow-scripts allow-forms')
    // The hosts of its images are as a manifest may name them, or none are.
    const imagesOf = async (images: string) =>
      /img-src [^;]*/.exec(
        String(
          (await frame(`5177/${key}&images=${encodeURIComponent(images)}`)).headers[
            'content-security-policy'
          ],
        ),
      )?.[0]
    expect(await imagesOf('https://tiles.example.org')).toMatch(/ data: https:\/\/tiles\.example\.org$/)
    for (const images of [
      'https://*.example.org',
      'http://localhost:5001',
      '* https://tiles.example.org',
      '; script-src *',
    ])
      expect(await imagesOf(images)).toMatch(/ data:$/)
    for (const from of [`22/${key}`, '5177/', `evil.example/${key}`, `5177/${key}/..`])
      expect((await frame(from)).statusCode).toBe(404)
    await app.close()
    await start(false, 'http://modules.test')
    expect((await frame(`5177/${key}`)).statusCode).toBe(404)
    await app.close()
    // The portal need not have the module yet; its name is that of its host.
    await start(true, 'http://*.modules.test')
    const own = (name: string, url: string) =>
      app.inject({ url, headers: { host: `${name}.modules.test` } }).then(({ statusCode }) => statusCode)
    const newOne = `/frame/mfe-new/000000000000?from=5177/${key}`
    expect(await own('mfe-new', newOne)).toBe(200)
    expect(await own('mfe-users', newOne)).toBe(404)
    await app.close()
    await start(false, 'http://*.modules.test')
    expect(await own('mfe-new', newOne)).toBe(404)
  })

  test('is refused where the portal does not allow it', async () => {
    await app.close()
    await start(false)
    const answer = await ask('module=mfe-users&port=5177')
    expect(answer.statusCode).toBe(403)
    expect(answer.json().message).toMatch(/PORTAL_MODULE_OVERRIDE=yes/)
    expect((await onPage('portal_override=mfe-users.5177')).modules[0].override).toBeUndefined()
  })
})
