import { existsSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { openRegistry } from '../src/registry.ts'
import { pruneBuilds, publishRelease } from '../src/release.ts'
import { makeKey } from '../src/release-key.ts'
import { diskStore } from '../src/store.ts'
import { build, buildProduct, startRegistry } from './test-registry.ts'

describe('the release', () => {
  test('published again changes nothing; a newer one keeps the changes of partners and administrators', async () => {
    const { person, registry } = await startRegistry()
    const [awa, moussa] = [await person('Awa'), await person('Moussa')]
    await awa.publish(build())
    await moussa.change('mfe-health', 'promote', { version: '1.0.0' })
    await registry.change({
      name: 'mfe-users',
      action: 'disable',
      generation: 2,
      by: 'administrator Fatou Sy',
    })
    const key = { id: 'release-test-2', jwk: makeKey() }
    const dist = buildProduct('bbbbbbbbbbbb', '0.2.0')
    const live = await publishRelease(registry, dist, key)
    expect(live).toMatchObject({
      generation: 4,
      shell: 'bbbbbbbbbbbb',
      previous_shell: 'aaaaaaaaaaaa',
      modules: [
        { name: 'mfe-health', version: '1.0.0' },
        { name: 'mfe-users', version: '0.2.0', disabled: true, previous: { version: '0.1.0' } },
      ],
    })
    expect((await publishRelease(registry, dist, key)).generation).toBe(4)
  })

  test('does not undo a rollback, nor touch what is pinned', async () => {
    const { registry } = await startRegistry()
    const key = { id: 'release-test-2', jwk: makeKey() }
    const second = buildProduct('bbbbbbbbbbbb', '0.2.0')
    await publishRelease(registry, second, key)
    await registry.change({
      name: 'mfe-users',
      action: 'rollback',
      generation: 2,
      by: 'administrator Fatou Sy',
    })
    expect((await publishRelease(registry, second, key)).modules).toMatchObject([{ version: '0.1.0' }])
    await registry.changes.pin({ name: 'mfe-users', generation: 3, by: 'Awa' })
    const third = await publishRelease(registry, buildProduct('cccccccccccc', '0.3.0'), key)
    expect(third).toMatchObject({ shell: 'cccccccccccc', modules: [{ version: '0.1.0', pinned: true }] })
  })

  test('keeps the modules of a tab that is two releases old for 30 days after they were live, and not longer', async () => {
    const { registry } = await startRegistry()
    const key = { id: 'release-test-2', jwk: makeKey() }
    const first = (await registry.now()).modules[0]?.build
    const keys = [`modules/mfe-users/${first}/page.js`, `modules/mfe-users/${first}/build.json`]
    const kept = () => Promise.all(keys.map((file) => registry.store.exists(file)))
    await publishRelease(registry, buildProduct('bbbbbbbbbbbb', '0.2.0'), key)
    const last = buildProduct('cccccccccccc', '0.3.0')
    const live = await publishRelease(registry, last, key)
    expect(live.modules[0]?.previous?.build).not.toBe(first)
    expect(await kept()).toEqual([true, true])
    const day = 86_400_000
    await pruneBuilds(registry, last, live, Date.now() + 29 * day)
    expect(await kept()).toEqual([true, true])
    await pruneBuilds(registry, last, live, Date.now() + 31 * day)
    expect(await kept()).toEqual([false, false])
    expect(await registry.store.exists(`modules/mfe-users/${live.modules[0]?.build}/page.js`)).toBe(true)
  })

  test('that returns keeps its modules, although a machine of another release removes old ones at that moment', async () => {
    const { registry, folder } = await startRegistry()
    const key = { id: 'release-test-2', jwk: makeKey() }
    const id = (await registry.now()).modules[0]?.build
    const [old, next] = [buildProduct(), buildProduct('cccccccccccc', '0.3.0')]
    const release = async () => {
      await publishRelease(registry, buildProduct('bbbbbbbbbbbb', '0.2.0'), key)
      return publishRelease(registry, next, key)
    }
    const live = await release()
    const store = diskStore(folder)
    const later = Date.now() + 31 * 86_400_000
    const isThere = async () =>
      Promise.all(['build.json', 'page.js'].map((file) => store.exists(`modules/mfe-users/${id}/${file}`)))
    // They are removed after the returning machine found them, and before it is live.
    const create = async (made: string, data: string | Buffer) => {
      if (made.startsWith('generations/')) await pruneBuilds(registry, next, live, later)
      return store.create(made, data)
    }
    await publishRelease(openRegistry({ store: { ...store, create } }), old, key)
    expect(await isThere()).toEqual([true, true])
    // It is live after the other machine has read what was.
    const other = await release()
    const exists = async (file: string) => {
      if (file === `modules/mfe-users/${id}/build.json`)
        await publishRelease(openRegistry({ store }), old, key)
      return store.exists(file)
    }
    await pruneBuilds(openRegistry({ store: { ...store, exists } }), next, other, later)
    expect(await isThere()).toEqual([true, true])
  })

  test('of one version built twice is named by its build', async () => {
    const { registry } = await startRegistry()
    const dist = buildProduct('bbbbbbbbbbbb', '0.1.0', 'Users of the portal')
    const { modules } = await publishRelease(registry, dist, { id: 'release-test-2', jwk: makeKey() })
    const revoke = (version: string) =>
      registry.changes.revoke({ by: 'operator', name: 'mfe-users', version, reason: 'it leaks' })
    await expect(revoke('0.1.0')).rejects.toMatchObject({
      status: 409,
      message: expect.stringMatching(/built more than once: say which, 0\.1\.0\+[a-f0-9]{12}, 0\.1\.0\+/),
    })
    await revoke(`0.1.0+${modules[0]?.build}`)
    expect((await registry.verified()).modules[0]).toMatchObject({
      withheld: 'revoked',
      previous: { version: '0.1.0' },
    })
  })

  test('made by several processes at once is one generation', async () => {
    const { folder } = await startRegistry()
    const key = { id: 'release-test-2', jwk: makeKey() }
    const dist = buildProduct('bbbbbbbbbbbb', '0.2.0')
    const registries = Array.from({ length: 4 }, () => openRegistry({ store: diskStore(folder) }))
    const lives = await Promise.all(registries.map((registry) => publishRelease(registry, dist, key)))
    expect(lives.map(({ generation }) => generation)).toEqual([2, 2, 2, 2])
  })

  test('replaces files that were damaged in the store', async () => {
    const { registry, folder } = await startRegistry()
    const key = { id: 'release-test-2', jwk: makeKey() }
    const dist = buildProduct('bbbbbbbbbbbb', '0.2.0')
    const { modules } = await publishRelease(registry, dist, key)
    const { build: id, integrity } = modules[0] ?? { build: '', integrity: '' }
    const file = join(folder, `modules/mfe-users/${id}/page.js`)
    writeFileSync(join(folder, 'other'), 'evil()')
    await registry.store.replace(`modules/mfe-users/${id}/page.js`, 'evil()')
    await publishRelease(registry, dist, key)
    expect((await registry.verified()).modules[0]).toMatchObject({ integrity, withheld: null })
    expect(
      existsSync(file) && (await registry.store.read(`modules/mfe-users/${id}/page.js`))?.toString(),
    ).toMatch(/page of/)
  })
})
