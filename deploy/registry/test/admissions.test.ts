import { describe, expect, test } from 'vitest'
import { build, startRegistry } from './test-registry.ts'

const fatou = 'administrator Fatou Traoré'
const label = (text: string) => ({ en: text, fr: text })

async function startTeam() {
  const started = await startRegistry()
  return { ...started, awa: await started.person('Awa'), moussa: await started.person('Moussa') }
}

describe('a partner’s build', () => {
  test('does not go live by the keys of its team alone', async () => {
    const { awa, moussa, registry } = await startTeam()
    const published = await awa.publishOnly(build())
    expect(published.body.message).toMatch(
      /^mfe-health 1\.0\.0 is published; nobody sees it yet\. It waits for an administrator of the portal, who is told of it and admits it under Modules; then somebody else/,
    )
    const refused = await moussa.change('mfe-health', 'promote', { version: '1.0.0' })
    expect(refused).toMatchObject({ status: 409, body: { waits: '1.0.0' } })
    expect(refused.body.message).toBe(
      'mfe-health 1.0.0 waits for admission: an administrator of the portal reads under Modules what it adds, and admits it there. Then repeat this command.',
    )
    expect((await registry.now()).modules.map(({ name }) => name)).toEqual(['mfe-users'])

    await registry.admit({ by: fatou, name: 'mfe-health', build: build().details.build })
    expect((await moussa.change('mfe-health', 'promote', { version: '1.0.0' })).status).toBe(200)
    const { log } = (await awa.call('GET', '/registry/log')).body
    expect(log).toContainEqual(expect.objectContaining({ by: fatou, what: 'admit', ok: true }))
  })

  test('is not tried by a single person before it was admitted', async () => {
    const { awa, moussa } = await startTeam()
    await awa.publish(build())
    await moussa.change('mfe-health', 'promote', { version: '1.0.0' })
    await awa.publishOnly(build('1.1.0'))
    const tried = await moussa.change('mfe-health', 'promote', { version: '1.1.0', canary: { percent: 1 } })
    expect(tried).toMatchObject({ status: 409, body: { waits: '1.1.0' } })
  })

  test('that went live before there were admissions is not brought back until it was admitted', async () => {
    const { awa, moussa, registry } = await startTeam()
    const [old, next] = [build(), build('1.1.0')]
    for (const built of [old, next]) {
      await awa.publish(built)
      await moussa.change('mfe-health', 'promote', { version: built.details.version })
    }
    await registry.store.remove('admitted/mfe-health')
    expect((await registry.waiting()).map(({ version, live }) => [version, live])).toEqual([
      ['1.1.0', { version: '1.1.0', newer: false }],
      ['1.0.0', { version: '1.1.0', newer: true }],
    ])
    await registry.admit({ by: fatou, name: 'mfe-health', build: next.details.build })
    expect(await awa.change('mfe-health', 'rollback')).toMatchObject({
      status: 409,
      body: { waits: '1.0.0' },
    })
    expect((await registry.waiting()).map(({ version }) => version)).toEqual(['1.0.0'])
    await registry.admit({ by: fatou, name: 'mfe-health', build: old.details.build })
    expect((await awa.change('mfe-health', 'rollback')).status).toBe(200)
    expect(await registry.waiting()).toEqual([])
  })

  test('that was revoked, or does not fit any more, cannot be admitted', async () => {
    const { awa, moussa, person, registry } = await startTeam()
    await awa.publishOnly(build())
    await moussa.change('mfe-health', 'revoke', { version: '1.0.0', reason: 'It shows too much.' })
    expect(await registry.waiting()).toEqual([])
    const asked = { by: fatou, name: 'mfe-health', build: build().details.build }
    await expect(registry.admit(asked)).rejects.toThrow(/was revoked by Moussa/)
    await expect(registry.admit({ ...asked, build: '000000000000' })).rejects.toThrow(/No build 000000000000/)

    const binta = await person('Binta', ['mfe-wells'])
    const wells = build('1.0.0', { name: 'mfe-wells', permission: undefined, permissions: [] })
    await awa.publishOnly(build('1.1.0'))
    await binta.publishOnly(wells)
    const next = { ...asked, build: build('1.1.0').details.build }
    await registry.admit(next)
    await moussa.change('mfe-health', 'promote', { version: '1.1.0' })
    await expect(
      registry.admit({ by: fatou, name: 'mfe-wells', build: wells.details.build }),
    ).rejects.toThrow(/\/admin\/health belongs to mfe-health/)
  })
})

test('an administrator cannot admit a build whose publisher’s key was revoked', async () => {
  const { awa, registry } = await startTeam()
  await awa.publishOnly(build())
  await registry.revocations.revokeKey('awa', { by: 'operator', at: '', reason: 'stolen' })
  await expect(
    registry.admit({ by: fatou, name: 'mfe-health', build: build().details.build }),
  ).rejects.toMatchObject({
    status: 409,
    message: expect.stringMatching(/the key awa, which operator revoked/),
  })
})

test('an administrator reads to which things a build leads people, and which steps it gives them on their first day', async () => {
  const { awa, registry } = await startTeam()
  await awa.publishOnly(
    build('1.0.0', {
      links: [{ kind: 'record.visit', link: '/admin/health/{id}' }],
      first_day: [
        {
          ...{ id: 'read', title: label('Read the visits'), text: label('They are new.'), order: 1 },
          ...{ permission: 'health.view', link: '/admin/health' },
        },
      ],
    }),
  )
  const [waiting] = await registry.waiting()
  const values = waiting?.parts.filter(({ kind }) => kind === 'extension').map(({ value }) => value)
  expect(values).toEqual([
    'shows record.visit: /admin/health/{id}',
    'first day of health.view: Read the visits',
  ])
})

test('an administrator reads what a waiting build adds, and what has changed since the admitted one', async () => {
  const { awa, registry } = await startTeam()
  await awa.publishOnly(build())
  expect(await registry.waiting()).toMatchObject([
    {
      name: 'mfe-health',
      version: '1.0.0',
      person: 'Awa',
      key: 'awa',
      admitted: null,
      parts: [
        { kind: 'route', value: '/admin/health', change: 'new' },
        { kind: 'permission', value: 'health.view', change: 'new' },
      ],
      files: { total: 2, new: 2 },
    },
  ])
  await registry.admit({ by: fatou, name: 'mfe-health', build: build().details.build })
  expect(await registry.waiting()).toEqual([])

  const collection = { name: 'visits', label: label('Visits'), read: 'health.view', write: 'students.view' }
  await awa.publishOnly(
    build('1.1.0', {
      routes: ['/admin/care'],
      preloads: { '*': [], en: [], fr: [], '/admin/care': ['page.js'] },
      collections: [collection],
    }),
  )
  const [waits] = await registry.waiting()
  expect(waits?.admitted).toMatchObject({ version: '1.0.0' })
  expect(waits?.parts).toMatchObject([
    { kind: 'route', value: '/admin/care', change: 'new' },
    { kind: 'route', value: '/admin/health', change: 'gone' },
    { kind: 'permission', value: 'health.view', change: 'same' },
    {
      ...{ kind: 'needs', value: 'students.view', change: 'new' },
      words: { en: 'Students: view (students.view)', fr: 'Élèves : consulter (students.view)' },
    },
    { kind: 'collection', value: 'visits', words: { en: 'Visits (visits)' }, change: 'new' },
  ])
})
