import type { ModuleBuild } from '@portal/sdk/manifest'
import { describe, expect, test } from 'vitest'
import { publishRelease } from '../src/release.ts'
import { makeKey } from '../src/release-key.ts'
import { build, buildProduct, startRegistry } from './test-registry.ts'
import { withTwoBuilds } from './two-builds.ts'

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
