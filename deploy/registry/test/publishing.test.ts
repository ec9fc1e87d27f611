import { existsSync, readdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { openRegistry, type PortalRegistry } from '../src/registry.ts'
import { pruneBuilds, publishRelease } from '../src/release.ts'
import { makeKey } from '../src/release-key.ts'
import { integrityOf } from '../src/signing.ts'
import { diskStore } from '../src/store.ts'
import {
  type Built,
  build,
  buildProduct,
  generation,
  type Publisher,
  startRegistry,
} from './test-registry.ts'

describe('a partner', () => {
  test('publishes a build, somebody else promotes it, and it is live', async () => {
    const { person, registry } = await startRegistry()
    const [awa, moussa] = [await person('Awa'), await person('Moussa')]
    const built = build()
    expect(await awa.publish(built)).toMatchObject({ status: 201, body: { version: '1.0.0' } })
    expect((await registry.now()).modules.map(({ name }) => name)).toEqual(['mfe-users'])
    const promoted = await moussa.change('mfe-health', 'promote', { version: '1.0.0' })
    expect(promoted).toMatchObject({ status: 200, body: { generation: 2 } })
    const { modules } = (await awa.call('GET', '/registry/status')).body
    expect(modules).toMatchObject([
      { name: 'mfe-health', version: '1.0.0', state: 'live', published_by: 'Awa' },
      { name: 'mfe-users', state: 'live', published_by: 'Release' },
    ])
  })

  test('whose build was made before, with longer hashes of its files, publishes it and sees it live', async () => {
    const { person, registry } = await startRegistry()
    const [awa, moussa] = [await person('Awa'), await person('Moussa')]
    const { files } = build()
    const longer = Object.entries(files).map(([path, text]) => [path, integrityOf(text)])
    expect((await awa.publish(build('1.0.0', { files: Object.fromEntries(longer) }))).status).toBe(201)
    expect((await moussa.change('mfe-health', 'promote', { version: '1.0.0' })).status).toBe(200)
    expect((await registry.now()).modules.map(({ name }) => name)).toContain('mfe-health')
  })

  test('cannot promote what she has signed herself, also not with another key of hers', async () => {
    const { person, registry } = await startRegistry()
    const [awa, moussa] = [await person('Awa'), await person('Moussa')]
    const other = await person('AWA ')
    await awa.publish(build())
    for (const her of [awa, other]) {
      const refused = await her.change('mfe-health', 'promote', { version: '1.0.0' })
      expect(refused.status).toBe(403)
      expect(refused.body.message).toMatch(
        /published by Awa; somebody else promotes it: portal-module promote/,
      )
    }
    await moussa.change('mfe-health', 'promote', { version: '1.0.0' })
    await awa.publish(build('1.1.0'))
    const canary = await awa.change('mfe-health', 'promote', { version: '1.1.0', canary: { percent: 10 } })
    expect(canary.status).toBe(403)
    expect((await registry.now()).generation).toBe(2)
  })

  test('who publishes the same bytes again reads that they exist; other bytes need another version', async () => {
    const { person } = await startRegistry()
    const awa = await person('Awa')
    await awa.publish(build())
    const again = await awa.publish(build())
    expect(again.status).toBe(200)
    expect(again.body.message).toMatch(
      /^mfe-health 1\.0\.0 is published already, with these very files\. An administrator of the portal has admitted it;/,
    )
    const refused = await awa.publish(build('1.0.0', { title: { en: 'Health', fr: 'Santé' } }))
    expect(refused.status).toBe(409)
    expect(refused.body.message).toMatch(/published by Awa with other content.*raise the version/)
  })

  test('and another partner publish one version at the same time: one succeeds, the other is asked to raise the version', async () => {
    const { person, registry } = await startRegistry()
    const [awa, moussa] = [await person('Awa'), await person('Moussa')]
    const [hers, his] = [build('1.0.0', {}, { 'a.js': 'hers' }), build('1.0.0', {}, { 'a.js': 'his' })]
    for (const [who, what] of [
      [awa, hers],
      [moussa, his],
    ] as const) {
      await who.announce(what)
      await who.send(what)
    }
    const answers = await Promise.all([awa.commit(hers), moussa.commit(his)])
    expect(answers.map(({ status }) => status).sort()).toEqual([201, 409])
    expect(answers.find(({ status }) => status === 409)?.body.message).toMatch(
      /same moment|already|raise the version/,
    )
    const [record] = await registry.builds.list('mfe-health')
    const winner = answers.find(({ status }) => status === 201)?.body.build
    expect(record?.build).toBe(winner)
    const kept = readdirSync(
      join((await registry.store.file(`modules/mfe-health/${winner}/build.json`)) ?? '', '../..'),
    )
    expect(kept).toEqual([winner])
  })

  test('whose two commits of a build meet reads twice that it is published', async () => {
    let meanwhile: (() => Promise<unknown>) | undefined
    const { person, registry } = await startRegistry((store) => ({
      ...store,
      exists: async (file) => {
        const act = file.startsWith('uploads/mfe-health/') ? meanwhile : undefined
        if (act) meanwhile = undefined
        await act?.()
        return store.exists(file)
      },
    }))
    const awa = await person('Awa')
    const built = build()
    await awa.announce(built)
    await awa.send(built)
    meanwhile = async () => expect(await awa.commit(built)).toMatchObject({ status: 201 })
    expect(await awa.commit(built)).toMatchObject({
      status: 200,
      body: {
        message: expect.stringMatching(/^mfe-health 1\.0\.0 is published already, with these very files/),
      },
    })
    expect(await registry.builds.list('mfe-health')).toHaveLength(1)
  })

  test('with a key for another module, or without the right, is told whom to ask', async () => {
    const { person } = await startRegistry()
    const visitor = await person('Binta', ['mfe-water'])
    const refused = await visitor.publish(build())
    expect(refused.status).toBe(403)
    expect(refused.body.message).toMatch(/is for mfe-water, not for mfe-health.*key:grant/)
    const reader = await person('Carla', ['mfe-health'], ['promote'])
    const second = await reader.publish(build())
    expect(second.status).toBe(403)
    expect(second.body.message).toMatch(/may promote, but not publish/)
  })

  test('whose key is unknown, taken back or revoked is refused before anything is read', async () => {
    const { app, person, registry } = await startRegistry()
    const awa = await person('Awa')
    const known = await registry.keys.read('awa')
    if (!known) throw new Error('no key')
    await registry.keys.replace({ ...known, retired: true })
    expect((await awa.publish(build())).status).toBe(401)
    await registry.keys.replace(known)
    await registry.revocations.revokeKey('awa', { by: 'operator', at: '', reason: 'lost' })
    expect((await awa.publish(build())).body.message).toMatch(/was taken back/)
    const unsigned = await app.inject({ method: 'POST', url: '/registry/uploads', payload: {} })
    expect(unsigned.statusCode).toBe(401)
  })

  test('whose file was changed during the upload reads which one, and nothing is published', async () => {
    const { person, registry } = await startRegistry()
    const awa = await person('Awa')
    const built = build()
    await awa.announce(built)
    const tampered = await awa.send({ ...built, files: { ...built.files, 'page.js': 'evil()' } })
    expect(tampered).toMatchObject({ status: 422 })
    expect(tampered?.body.message).toMatch(/^page\.js arrived as sha256-.*build\.json says sha256-/)
    expect(await awa.commit(built)).toMatchObject({ status: 409, body: { missing: ['page.js'] } })
    expect(await registry.builds.list('mfe-health')).toEqual([])
    expect(await registry.store.list('modules/mfe-health')).toEqual([])
  })

  test('whose files are small only while they are packed is refused before the portal packs them', async () => {
    const { person, registry } = await startRegistry()
    const awa = await person('Awa')
    const large = `/* ${' '.repeat(9_000_000)} */`
    const built = build('1.0.0', {}, { 'a.js': large, 'b.js': large, 'c.js': large, 'd.js': large })
    expect(await awa.publishOnly(built)).toMatchObject({
      status: 422,
      body: {
        message: expect.stringMatching(
          /^The files and source maps are larger than 32 MiB before they are compressed/,
        ),
      },
    })
    expect(await registry.builds.list('mfe-health')).toEqual([])
    expect(await registry.store.list('uploads')).toEqual([])
  })

  test('who signs something else than she sends is refused', async () => {
    const { person } = await startRegistry()
    const awa = await person('Awa')
    const [honest, other] = [build(), build('1.0.0', {}, { 'evil.js': 'evil()' })]
    const answer = await awa.announce({ ...other, details: honest.details })
    expect(answer).toMatchObject({ status: 422 })
    expect(answer.body.message).toMatch(/not that of awa over name, version, build/)
  })

  test('whose call is replayed by somebody else is served once', async () => {
    const { app, person } = await startRegistry()
    const awa = await person('Awa')
    const sent: { authorization: string }[] = []
    app.addHook('onRequest', async (request) => {
      sent.push({ authorization: request.headers.authorization ?? '' })
    })
    await awa.change('mfe-users', 'disable')
    const replay = await app.inject({
      method: 'POST',
      url: '/registry/modules/mfe-users/disable',
      headers: { ...sent.at(-1), 'content-type': 'application/json' },
      payload: JSON.stringify({ generation: await generation(app) }),
    })
    expect(replay.statusCode).toBe(401)
    expect(replay.json().message).toMatch(/made already/)
  })
})

describe('an upload that nobody commits', () => {
  /** Announces and sends a build, and dates the upload `hours` back. */
  async function begun(registry: PortalRegistry, awa: Publisher, built: Built, hours: number) {
    await awa.announce(built)
    await awa.send(built)
    const folder = `uploads/mfe-health/${built.details.build}`
    const key = `${folder}/upload.json`
    const upload = JSON.parse(String(await registry.store.read(key)))
    const at = new Date(Date.parse(upload.at) - hours * 3_600_000).toISOString()
    await registry.store.replace(key, JSON.stringify({ ...upload, at }))
    return folder
  }

  test('is removed after a day, when somebody starts another', async () => {
    const { person, registry } = await startRegistry()
    const [awa, moussa] = [await person('Awa'), await person('Moussa')]
    const old = await begun(registry, awa, build('1.0.0'), 25)
    const recent = await begun(registry, awa, build('1.1.0'), 23)
    expect((await moussa.announce(build('2.0.0'))).status).toBe(201)
    expect(await registry.store.list(old)).toEqual([])
    expect(await registry.store.list(recent)).toHaveLength(3)
  })

  test('is removed after a day, when the portal starts, and can be sent again', async () => {
    const { person, registry } = await startRegistry()
    const awa = await person('Awa')
    const old = await begun(registry, awa, build(), 25)
    await publishRelease(registry, buildProduct(), { id: 'release-test-2', jwk: makeKey() })
    expect(await registry.store.list(old)).toEqual([])
    expect((await awa.publish(build())).status).toBe(201)
  })
})

describe('a full disk', () => {
  const full = Object.assign(new Error('no space left on device'), { code: 'ENOSPC' })

  test.each(['uploads/', 'modules/', 'builds/'])(
    'while %s is written is a 507, and nothing is visible',
    async (where) => {
      let room = true
      const { person, registry, folder } = await startRegistry((store) => {
        const guarded = async <T>(key: string, act: () => Promise<T>): Promise<T> => {
          if (!room && key.startsWith(where) && key.includes('mfe-health') && !key.endsWith('upload.json'))
            throw full
          return act()
        }
        return { ...store, create: (key, data) => guarded(key, () => store.create(key, data)) }
      })
      const [awa, moussa] = [await person('Awa'), await person('Moussa')]
      room = false
      const refused = await awa.publish(build())
      expect(refused.status).toBe(507)
      expect(refused.body.message).toMatch(/store is full: nothing of mfe-health .* was kept/)
      expect(await registry.builds.list('mfe-health')).toEqual([])
      for (const place of ['uploads', 'modules', 'builds'])
        expect(
          existsSync(join(folder, place, 'mfe-health')) &&
            readdirSync(join(folder, place, 'mfe-health')).length > 0,
        ).toBe(false)
      room = true
      expect((await awa.publish(build())).status).toBe(201)
      expect((await moussa.change('mfe-health', 'promote', { version: '1.0.0' })).status).toBe(200)
    },
  )
})

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
