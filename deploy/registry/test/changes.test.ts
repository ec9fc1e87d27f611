import { mkdirSync, rmdirSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import type { ModuleBuild } from '@portal/sdk/manifest'
import { describe, expect, test } from 'vitest'
import { openRegistry } from '../src/registry.ts'
import { publishRelease } from '../src/release.ts'
import { makeKey } from '../src/release-key.ts'
import { diskStore } from '../src/store.ts'
import { build, buildProduct, generation, startRegistry } from './test-registry.ts'

/** A registry in which mfe-health 1.0.0 and then 1.1.0 went live. */
async function withTwoBuilds() {
  const started = await startRegistry()
  const [awa, moussa] = [await started.person('Awa'), await started.person('Moussa')]
  for (const version of ['1.0.0', '1.1.0']) {
    await awa.publish(build(version))
    await moussa.change('mfe-health', 'promote', { version })
  }
  return { ...started, awa, moussa }
}

/** The module of another team, at the address of mfe-health. */
const clinics = (version = '1.0.0', routes = ['/admin/health'], more: Partial<ModuleBuild> = {}) =>
  build(version, {
    name: 'mfe-clinics',
    routes,
    preloads: { '*': [], en: [], fr: [], [routes[0] ?? '']: ['page.js'] },
    permission: 'clinics.view',
    permissions: [{ name: 'clinics.view', label: { en: 'See clinics', fr: 'Voir les centres' } }],
    ...more,
  })

describe('a team that names an older version', () => {
  test('is refused for everybody and for a canary, reads both versions, and goes down only when it says so', async () => {
    const { moussa, awa, registry } = await withTwoBuilds()
    const asked = { version: '1.0.0' }
    for (const more of [{}, { canary: { percent: 10 } }]) {
      const refused = await moussa.change('mfe-health', 'promote', { ...asked, ...more })
      expect(refused).toMatchObject({ status: 409, body: { live: '1.1.0' } })
      expect(refused.body.message).toMatch(
        /^mfe-health 1\.0\.0 is older than 1\.1\.0, which is live.*--downgrade/,
      )
    }
    expect((await moussa.change('mfe-health', 'promote', { ...asked, downgrade: true })).status).toBe(200)
    const entryNow = async () => (await registry.now()).modules.find(({ name }) => name === 'mfe-health')
    expect(await entryNow()).toMatchObject({ version: '1.0.0', previous: { version: '1.1.0' } })
    // By number and not by letter: 1.10.0 is newer than 1.9.0, and a trial version is older than its own release.
    for (const version of ['1.9.0', '1.10.0-rc.1', '1.10.0']) {
      await awa.publish(build(version))
      expect((await moussa.change('mfe-health', 'promote', { version })).status, version).toBe(200)
    }
    const back = await moussa.change('mfe-health', 'promote', { version: '1.10.0-rc.1' })
    expect(back.body.message).toMatch(/1\.10\.0-rc\.1 is older than 1\.10\.0/)
  })
})

describe('a partner who names what is shown by somebody else', () => {
  const links = (kind: string, link: string) => ({ links: [{ kind, link }] })

  test('is refused, so that nobody is led to that partner from a notification or the audit log', async () => {
    const { person, registry } = await startRegistry()
    const awa = await person('Awa')
    const [binta, moussa] = [await person('Binta', ['mfe-clinics']), await person('Moussa')]
    await awa.publish(build('1.0.0', links('record.visit', '/admin/health/{id}')))
    expect((await moussa.change('mfe-health', 'promote', { version: '1.0.0' })).status).toBe(200)
    const taking = (kind: string) => clinics('1.0.0', ['/admin/clinics'], links(kind, '/admin/clinics/{id}'))
    for (const [kind, sentence] of [
      ['record.visit', /record\.visit is shown by mfe-health \(Health team\): name yours differently/],
      ['import.attendance', /import\.attendance is the portal's own: name yours differently/],
    ] as const) {
      const refused = await binta.publish(taking(kind))
      expect(refused.status).toBe(422)
      expect(refused.body.message).toMatch(sentence)
    }
    expect((await binta.publish(taking('record.clinic'))).status).toBe(201)
    expect(await registry.builds.list('mfe-clinics')).toHaveLength(1)
  })
})

describe('two teams that chose one address', () => {
  test('cannot both go live, for everybody or as a canary, though each had published before', async () => {
    const { person, registry } = await startRegistry()
    const [awa, binta] = [await person('Awa'), await person('Binta', ['mfe-clinics'])]
    const moussa = await person('Moussa', ['mfe-health', 'mfe-clinics'])
    expect((await awa.publish(build())).status).toBe(201)
    expect((await binta.publish(clinics())).status).toBe(201)
    expect((await moussa.change('mfe-health', 'promote', { version: '1.0.0' })).status).toBe(200)
    const refused = await moussa.change('mfe-clinics', 'promote', { version: '1.0.0' })
    expect(refused.status).toBe(409)
    expect(refused.body.message).toMatch(
      /^mfe-clinics 1\.0\.0 cannot go live: \/admin\/health belongs to mfe-health/,
    )
    await awa.publish(build('1.1.0', { routes: ['/admin/health', '/admin/wells'] }))
    await binta.publish(clinics('1.1.0', ['/admin/wells']))
    await moussa.change('mfe-health', 'promote', { version: '1.1.0', canary: { percent: 10 } })
    const tried = await moussa.change('mfe-clinics', 'promote', { version: '1.1.0' })
    expect(tried.body.message).toMatch(/\/admin\/wells belongs to mfe-health/)
    expect((await registry.now()).modules.map(({ name }) => name)).toEqual(['mfe-health', 'mfe-users'])
  })

  test('cannot get there by a rollback either', async () => {
    const { person, registry } = await startRegistry()
    const [awa, binta] = [await person('Awa'), await person('Binta', ['mfe-clinics'])]
    const moussa = await person('Moussa', ['mfe-health', 'mfe-clinics'])
    for (const built of [
      build(),
      build('1.1.0', { routes: ['/admin/care'], preloads: { '*': [], en: [], fr: [], '/admin/care': [] } }),
    ]) {
      await awa.publish(built)
      await moussa.change('mfe-health', 'promote', { version: built.details.version })
    }
    await binta.publish(clinics())
    expect((await moussa.change('mfe-clinics', 'promote', { version: '1.0.0' })).status).toBe(200)
    const refused = await awa.change('mfe-health', 'rollback')
    expect(refused.status).toBe(409)
    expect(refused.body.message).toMatch(
      /^mfe-health 1\.0\.0 cannot go live: \/admin\/health belongs to mfe-clinics/,
    )
    expect((await registry.status()).modules.find(({ name }) => name === 'mfe-health')).toMatchObject({
      version: '1.1.0',
    })
  })
})

describe('a release', () => {
  test('with the address of a partner’s module goes live as a whole, once the operator took that module out', async () => {
    const { person, registry } = await startRegistry()
    const [awa, moussa] = [await person('Awa'), await person('Moussa')]
    await awa.publish(build())
    await moussa.change('mfe-health', 'promote', { version: '1.0.0' })
    const dist = buildProduct('bbbbbbbbbbbb', '0.2.0', 'Users', ['/admin/users', '/admin/health'])
    const key = { id: 'release-next', jwk: makeKey() }
    await expect(publishRelease(registry, dist, key)).rejects.toThrow(
      /^Nothing of this release went live\. mfe-users 0\.2\.0: \/admin\/health belongs to mfe-health .*npm run registry -- remove/,
    )
    expect(await registry.now()).toMatchObject({ generation: 2, shell: 'aaaaaaaaaaaa' })
    await registry.changes.remove({ by: 'operator', name: 'mfe-health' })
    expect((await publishRelease(registry, dist, key)).modules).toMatchObject([
      { name: 'mfe-users', version: '0.2.0' },
    ])
    const late = await moussa.change('mfe-health', 'promote', { version: '1.0.0' })
    expect(late.body).toMatchObject({
      gate: 'routes',
      message: expect.stringMatching(/belongs to mfe-users/),
    })
    expect(await registry.log.read()).toContainEqual(
      expect.objectContaining({ by: 'operator', message: 'remove mfe-health' }),
    )
  })

  test('cannot be undone for one of its modules where a partner has the address by now', async () => {
    const { person, registry } = await startRegistry()
    const key = { id: 'release-next', jwk: makeKey() }
    await publishRelease(registry, buildProduct('bbbbbbbbbbbb', '0.2.0', 'Users', ['/admin/people']), key)
    const [binta, moussa] = [await person('Binta', ['mfe-clinics']), await person('Moussa', ['mfe-clinics'])]
    await binta.publish(clinics('1.0.0', ['/admin/users']))
    expect((await moussa.change('mfe-clinics', 'promote', { version: '1.0.0' })).status).toBe(200)
    const asked = { name: 'mfe-users', action: 'rollback', generation: 3, by: 'administrator' } as const
    await expect(registry.change(asked)).rejects.toThrow(
      /^mfe-users 0\.1\.0 cannot go live: \/admin\/users belongs to mfe-clinics/,
    )
    await expect(registry.changes.remove({ by: 'operator', name: 'mfe-users' })).rejects.toThrow(
      /disable it instead/,
    )
  })
})

test('a build of which a file was changed in the store is not promoted', async () => {
  const { person, folder } = await startRegistry()
  const [awa, moussa] = [await person('Awa'), await person('Moussa')]
  const built = build()
  await awa.publish(built)
  writeFileSync(join(folder, built.details.base, 'page.js'), 'globalThis.stolen = true')
  const refused = await moussa.change('mfe-health', 'promote', { version: '1.0.0' })
  expect(refused).toMatchObject({ status: 410 })
  expect(refused.body.message).toMatch(
    /^page\.js of mfe-health 1\.0\.0 is not in the store as it was published/,
  )
})

describe('what is live', () => {
  test('is rolled back within a second, and forward again', async () => {
    const { awa, moussa, registry } = await withTwoBuilds()
    const began = performance.now()
    expect(await awa.change('mfe-health', 'rollback')).toMatchObject({ status: 200, body: { generation: 4 } })
    expect((await registry.now()).modules[0]).toMatchObject({ version: '1.0.0', previous: null })
    expect(performance.now() - began).toBeLessThan(1000)
    const further = await awa.change('mfe-health', 'rollback')
    expect(further).toMatchObject({ status: 409 })
    expect(further.body.message).toMatch(/has no build before 1\.0\.0: portal-module disable/)
    expect((await moussa.change('mfe-health', 'promote', { version: '1.1.0' })).status).toBe(200)
    expect((await registry.now()).modules[0]).toMatchObject({
      version: '1.1.0',
      previous: { version: '1.0.0' },
    })
  })

  test('is changed by one of two administrators who saw the same generation', async () => {
    const { awa, moussa, registry } = await withTwoBuilds()
    const seen = 3
    const answers = await Promise.all([
      awa.change('mfe-health', 'disable', { generation: seen }),
      moussa.change('mfe-health', 'rollback', { generation: seen }),
    ])
    expect(answers.map(({ status }) => status).sort()).toEqual([200, 409])
    expect(answers.find(({ status }) => status === 409)?.body).toMatchObject({
      message: expect.stringMatching(/at generation 4 by now .* you saw 3\. Nothing was changed: look again/),
      generation: 4,
    })
    expect((await registry.now()).generation).toBe(4)
  })

  test('is changed by many processes without one change lost', async () => {
    const { folder, registry } = await withTwoBuilds()
    const others = Array.from({ length: 6 }, () => openRegistry({ store: diskStore(folder) }))
    await Promise.all(
      others.map((other, at) =>
        other.generations.change(undefined, () => ({ what: 'pin', by: `number ${at}` })),
      ),
    )
    expect((await registry.now()).generation).toBe(9)
    const by: string[] = []
    for await (const one of registry.generations.down()) by.push(one.by)
    expect(by.slice(0, 6).sort()).toEqual(others.map((_, at) => `number ${at}`))
  })

  test('is changed by many calls of one process without one change lost', async () => {
    const { folder, registry } = await withTwoBuilds()
    const other = openRegistry({ store: diskStore(folder) })
    const names = Array.from({ length: 12 }, (_, at) => `mfe-${at}`)
    await Promise.all(
      names.map((name, at) =>
        (at % 3 ? registry : other).generations.change(undefined, async ({ release }) => {
          await new Promise(setImmediate)
          return { what: 'release', by: name, release: { ...release, [name]: 'aaaaaaaaaaaa' } }
        }),
      ),
    )
    const live = await registry.now()
    expect(live.generation).toBe(3 + names.length)
    expect(Object.keys(live.release)).toEqual(expect.arrayContaining(names))
  })

  test('is found after a crash before the pointer was written, and the pointer is corrected', async () => {
    const { folder, registry } = await withTwoBuilds()
    const pointer = async () => JSON.parse(String(await registry.store.read('current.json'))).generation
    writeFileSync(join(folder, 'current.json'), JSON.stringify({ generation: 1 }))
    expect((await openRegistry({ store: diskStore(folder) }).now()).generation).toBe(3)
    expect(await pointer()).toBe(3)
    rmSync(join(folder, 'current.json'))
    expect((await openRegistry({ store: diskStore(folder) }).now()).generation).toBe(3)
    writeFileSync(join(folder, 'generations/00000004.json'), 'half a file')
    const faults: string[] = []
    const after = openRegistry({ store: diskStore(folder), fault: (message) => faults.push(message) })
    expect((await after.now()).generation).toBe(3)
    expect(faults[0]).toMatch(/00000004\.json is not in order/)
    await after.change({ name: 'mfe-health', action: 'disable', generation: 3, by: 'administrator Fatou Sy' })
    expect((await registry.now()).generation).toBe(5)
  })

  test('stays while it is pinned', async () => {
    const { awa, moussa, registry } = await withTwoBuilds()
    await awa.publish(build('1.2.0'))
    expect((await awa.change('mfe-health', 'pin')).status).toBe(200)
    const refused = await moussa.change('mfe-health', 'promote', { version: '1.2.0' })
    expect(refused.status).toBe(409)
    expect(refused.body.message).toMatch(/is pinned at 1\.1\.0: portal-module unpin/)
    await awa.change('mfe-health', 'unpin')
    expect((await moussa.change('mfe-health', 'promote', { version: '1.2.0' })).status).toBe(200)
    expect((await registry.now()).modules[0]).toMatchObject({ version: '1.2.0' })
  })

  test('is tried as a canary by some people first, and a rollback ends the canary', async () => {
    const { awa, moussa, registry } = await withTwoBuilds()
    await awa.publish(build('1.2.0'))
    const tried = await moussa.change('mfe-health', 'promote', { version: '1.2.0', canary: { percent: 10 } })
    expect(tried.status).toBe(200)
    expect((await registry.status()).modules[0]).toMatchObject({
      version: '1.1.0',
      canary: { version: '1.2.0', percent: 10 },
    })
    await moussa.change('mfe-health', 'rollback')
    expect((await registry.status()).modules[0]).toMatchObject({ version: '1.1.0', canary: null })
    const empty = await moussa.change('mfe-health', 'promote', { version: '1.2.0', canary: { percent: 0 } })
    expect(empty.status).toBe(422)
  })

  test('that is revoked is withheld at once and cannot be live again', async () => {
    const { awa, moussa, registry } = await withTwoBuilds()
    const revoked = await awa.change('mfe-health', 'revoke', { version: '1.1.0', reason: 'it leaks names' })
    expect(revoked).toMatchObject({ status: 200, body: { generation: 4 } })
    expect((await registry.verified()).modules[0]).toMatchObject({ version: '1.1.0', withheld: 'revoked' })
    await awa.change('mfe-health', 'rollback')
    expect((await registry.verified()).modules[0]).toMatchObject({ version: '1.0.0', withheld: null })
    const again = await moussa.change('mfe-health', 'promote', { version: '1.1.0' })
    expect(again.status).toBe(409)
    expect(again.body.message).toMatch(/was revoked by Awa \(awa\) \(it leaks names\): publish a new version/)
  })

  test('of a person whose key was revoked goes live neither by promotion nor by rollback', async () => {
    const started = await startRegistry()
    const { registry } = started
    const [awa, binta, moussa] = [
      await started.person('Awa'),
      await started.person('Binta'),
      await started.person('Moussa'),
    ]
    const promote = (version: string) => moussa.change('mfe-health', 'promote', { version })
    await awa.publish(build('1.0.0'))
    await promote('1.0.0')
    await binta.publish(build('1.1.0'))
    await promote('1.1.0')
    await awa.publish(build('1.2.0'))
    await registry.revocations.revokeKey('awa', { by: 'operator', at: '', reason: 'stolen' })
    const sentence = /was signed with the key awa, which operator revoked \(stolen\): publish a new version/
    for (const refused of [await promote('1.2.0'), await moussa.change('mfe-health', 'rollback')]) {
      expect(refused.status).toBe(409)
      expect(refused.body.message).toMatch(sentence)
    }
    expect((await registry.verified()).modules[0]).toMatchObject({ version: '1.1.0', withheld: null })
  })

  test('whose revocation broke off is withheld when the person repeats it', async () => {
    const { awa, registry, folder } = await withTwoBuilds()
    // The next generation cannot be made, as if the process died before it.
    const next = join(folder, 'generations/00000004.json')
    mkdirSync(next)
    const revoke = () =>
      awa.call('POST', '/registry/modules/mfe-health/revoke', { version: '1.1.0', reason: 'it leaks names' })
    expect((await revoke()).status).toBe(500)
    rmdirSync(next)
    // Gateways look at a build again with the next generation.
    expect(await revoke()).toMatchObject({ status: 200, body: { generation: 4 } })
    expect((await registry.verified()).modules[0]).toMatchObject({ version: '1.1.0', withheld: 'revoked' })
  })

  test('signed with a revoked key is withheld; a build of a retired key stays live', async () => {
    const { registry } = await withTwoBuilds()
    const key = await registry.keys.read('awa')
    if (!key) throw new Error('no key')
    await registry.keys.replace({ ...key, retired: true })
    expect((await registry.verified()).modules[0]).toMatchObject({
      withheld: null,
      previous: { version: '1.0.0' },
    })
    await registry.revocations.revokeKey('awa', { by: 'operator', at: '', reason: 'stolen' })
    expect((await registry.verified()).modules[0]).toMatchObject({ withheld: 'revoked', previous: null })
  })
})

test('an administrator disables, enables and rolls back the generation that she saw', async () => {
  const { registry } = await withTwoBuilds()
  const by = 'administrator Fatou Sy'
  await registry.change({ name: 'mfe-health', action: 'disable', generation: 3, by })
  expect((await registry.status()).modules[0]).toMatchObject({ state: 'disabled' })
  await expect(
    registry.change({ name: 'mfe-health', action: 'enable', generation: 3, by }),
  ).rejects.toMatchObject({ status: 409 })
  await registry.change({ name: 'mfe-health', action: 'enable', generation: 4, by })
  await registry.change({ name: 'mfe-health', action: 'rollback', generation: 5, by })
  await expect(
    registry.change({ name: 'mfe-none', action: 'enable', generation: 6, by }),
  ).rejects.toMatchObject({ status: 404 })
  expect(
    (await registry.history('mfe-health')).map(({ what, version, by }) => `${what} ${version} ${by}`),
  ).toEqual([
    `rollback 1.0.0 ${by}`,
    `enable 1.1.0 ${by}`,
    `disable 1.1.0 ${by}`,
    'promote 1.1.0 Moussa (moussa)',
    'promote 1.0.0 Moussa (moussa)',
  ])
  expect((await registry.history('mfe-users')).map(({ what }) => what)).toEqual(['release'])
})

test('anybody reads what is live and what differs; only a person with a key reads names', async () => {
  const { app, awa, moussa } = await withTwoBuilds()
  const diff = (await app.inject('/registry/diff?from=2&to=3')).json()
  expect(diff.modules).toMatchObject([
    { name: 'mfe-health', before: { version: '1.0.0' }, after: { version: '1.1.0' } },
  ])
  expect((await app.inject('/registry/diff?from=2&to=9')).statusCode).toBe(404)
  const changes = (await awa.call('GET', '/registry/generations')).body.generations
  expect(changes).toMatchObject([
    { generation: 3, what: 'promote', module: 'mfe-health', by: 'Moussa (moussa)' },
    { generation: 2 },
    { generation: 1, what: 'release' },
  ])
  expect((await app.inject('/registry/generations/2')).json().modules).toHaveLength(2)
  for (const path of ['status', 'keys', 'generations', 'generations/2']) {
    const unnamed = await app.inject(`/registry/${path}`)
    expect(unnamed.statusCode).toBe(200)
    expect(unnamed.body, path).not.toMatch(/Awa|Moussa|Release \(/)
    expect(JSON.stringify((await awa.call('GET', `/registry/${path}`)).body), path).toMatch(/Awa|Moussa/)
  }
  const shell = (await app.inject('/registry/shell')).json()
  expect(shell).toMatchObject({
    build: 'aaaaaaaaaaaa',
    previous: null,
    shared: { react: expect.any(String) },
  })
  expect(JSON.stringify(shell)).not.toMatch(/"owner"|partner\.example/)
  const beside = '/registry/modules/mfe-rain/surroundings/1.0.0'
  expect((await app.inject(beside)).body).not.toMatch(/"owner"|partner\.example/)
  expect((await awa.call('GET', beside)).body.others).toContainEqual(
    expect.objectContaining({ name: 'mfe-health', owner: expect.objectContaining({ name: 'Health team' }) }),
  )
  expect(shell.routes).toEqual(expect.arrayContaining(['/home', '/attendance', '/registry']))
  expect((await app.inject('/registry/log')).statusCode).toBe(401)
  await awa.change('mfe-health', 'promote', { version: '1.0.0' })
  const { log } = (await moussa.call('GET', '/registry/log')).body
  expect(log.map(({ by, what, ok }: { by: string; what: string; ok: boolean }) => [by, what, ok])).toEqual(
    expect.arrayContaining([
      ['Awa (awa)', 'publish', true],
      ['Moussa (moussa)', 'promote', true],
      ['Awa (awa)', 'POST /registry/modules/mfe-health/promote', false],
    ]),
  )
  expect(await generation(app)).toBe(3)
})
