import { readFileSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { openRegistry } from '@portal/registry'
import { publishRelease } from '@portal/registry/release'
import { diskStore } from '@portal/registry/store'
import { describe, expect, test } from 'vitest'
import {
  builds,
  built,
  forge,
  key,
  live,
  onPage,
  page,
  publishOnly,
  start,
  startLiveGateway,
} from './live-gateway.ts'

startLiveGateway()

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
    const { modules: whole } = (await live.app.inject('/modules.json')).json()
    expect(whole[0]).toMatchObject({ signature: expect.any(String), permissions: [{ name: 'users.greet' }] })
  })

  test('has a new generation at the next request, also if another process made it', async () => {
    expect((await onPage()).modules[0].version).toBe('1.0.0')
    const other = openRegistry({ store: diskStore(join(live.folder, 'registry')) })
    built('1.1.0')
    await publishRelease(other, join(live.folder, 'dist'), key)
    expect((await onPage()).modules[0]).toMatchObject({ version: '1.1.0', previous: { version: '1.0.0' } })
    await other.change({ name: 'mfe-users', action: 'rollback', generation: 2, by: 'administrator' })
    expect((await onPage()).modules[0].version).toBe('1.0.0')
  })

  test('keeps what was live when the registry cannot be read', async () => {
    await onPage()
    await live.app.close()
    const { store } = live.registry
    let there = true
    const exists = (at: string) => (there ? store.exists(at) : Promise.reject(new Error('gone')))
    live.registry = openRegistry({ store: { ...store, exists } })
    await start()
    await onPage()
    there = false
    expect((await onPage()).modules[0].version).toBe('1.0.0')
  })

  test('finds files of a build in the registry when the build folder no longer has them', async () => {
    rmSync(join(live.folder, 'dist/modules'), { recursive: true })
    const answer = await live.app.inject(`/modules/mfe-users/${builds['1.0.0']}/remoteEntry.js`)
    expect(answer.body).toBe('/* entry of 1.0.0 */')
    expect((await live.app.inject('/modules/mfe-users/../../generations/00000001.json')).statusCode).toBe(404)
    expect((await live.app.inject('/modules/~/x.js')).statusCode).toBe(404)
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
        const known = await live.registry.keys.read(key.id)
        if (known) await live.registry.keys.replace({ ...known, modules: ['mfe-water'] })
        await forge({})
      },
    ],
    [
      'signed by nobody we know',
      'signature',
      async () => {
        await live.registry.store.remove(`keys/${key.id}.json`)
        await forge({})
      },
    ],
    [
      'that was revoked',
      'revoked',
      () =>
        live.registry.changes.revoke({
          by: 'operator',
          name: 'mfe-users',
          version: '1.0.0',
          reason: 'it leaks',
        }),
    ],
    [
      'whose record was tampered with',
      'broken',
      async () => {
        const path = `modules/mfe-users/${builds['1.0.0']}/build.json`
        const text = readFileSync(join(live.folder, 'registry', path), 'utf8')
        await live.registry.store.replace(path, text.replace('remoteEntry.js', 'evil.js'))
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
  const own = JSON.parse(readFileSync(join(live.folder, 'registry', record), 'utf8'))
  const admitted = { by: 'Awa', at: new Date().toISOString() }
  const trust = (trusted: boolean) =>
    live.registry.admissions.decide(name, build, admitted, { ...admitted, trusted })
  const opened = async (modulesUrl?: string) => {
    await live.app.close()
    live.registry = openRegistry({ store: diskStore(join(live.folder, 'registry')) })
    await start(true, modulesUrl)
    return (await onPage()).modules[0]
  }
  await live.registry.store.replace(record, JSON.stringify({ ...own, release: false }))
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

describe('a build for another major of the contract', () => {
  const asked = { by: 'Awa', name: 'mfe-users', generation: 1, version: '1.1.0' }

  test('is on the page for tabs that need it, with its files and without what no page reads', async () => {
    await publishOnly('1.1.0', '^2.0.0')
    await live.registry.changes.promote(asked)
    const [{ version, beside }] = (await onPage()).modules
    expect([version, beside]).toEqual(['1.0.0', [expect.objectContaining({ version: '1.1.0' })]])
    for (const field of ['signature', 'permissions', 'collections', 'disabled'])
      expect(beside[0]).not.toHaveProperty(field)
    const file = await live.app.inject(`/modules/mfe-users/${builds['1.1.0']}/remoteEntry.js`)
    expect([file.statusCode, file.body]).toEqual([200, '/* entry of 1.1.0 */'])
  })

  test('that some people try leaves them the one of before, for tabs that are still open', async () => {
    const facts = { build: 'aaaaaaaaaaaa', shared: {}, routes: [], permissions: [] }
    const shell = JSON.stringify({ ...facts, contract: '2.0.0', carries: ['1.3.0'] })
    await live.registry.store.replace('shells/aaaaaaaaaaaa.json', shell)
    await publishOnly('1.1.0', '^2.0.0')
    await live.registry.changes.promote({ ...asked, canary: { roles: ['School Officer'] } })
    live.who = { id: 1, roles: [{ name: 'School Officer' }] }
    expect((await onPage()).modules).toMatchObject([{ version: '1.1.0', beside: [{ version: '1.0.0' }] }])
    live.who = { id: 1, roles: [{ name: 'Auditor' }] }
    expect((await onPage()).modules[0].version).toBe('1.0.0')
    expect((await onPage()).modules[0].beside).toBeUndefined()
  })
})
