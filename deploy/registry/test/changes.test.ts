import { rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { openRegistry } from '../src/registry.ts'
import { diskStore } from '../src/store.ts'
import { build, generation, startRegistry } from './test-registry.ts'
import { withTwoBuilds } from './two-builds.ts'

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
