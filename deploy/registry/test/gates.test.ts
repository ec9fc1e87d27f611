import type { Check } from '@portal/sdk/gates/candidate'
import { describe, expect, test } from 'vitest'
import { publishRelease } from '../src/release.ts'
import { makeKey } from '../src/release-key.ts'
import { label, noMap, refusedBuilds } from './refused-builds.ts'
import { build, buildProduct, startRegistry } from './test-registry.ts'

describe('a build is refused at the gate', () => {
  test.each(refusedBuilds)('with %s', async (_what, gate, change, sentence, files) => {
    const { person, registry } = await startRegistry()
    const awa = await person('Awa')
    const answer = await awa.publish(build('1.0.0', change, files))
    expect(answer.status).toBe(422)
    const checks = answer.body.checks as Check[]
    expect(checks.filter(({ ok }) => !ok).map((check) => check.gate)).toContain(gate)
    expect(checks.find((check) => check.gate === gate)?.text).toMatch(sentence)
    expect(await registry.builds.list('mfe-health')).toEqual([])
    expect(await registry.store.list('modules/mfe-health')).toEqual([])
  })

  test('when its conformance tests were not run, or failed', async () => {
    const { person } = await startRegistry()
    const awa = await person('Awa')
    expect((await awa.publish(build(), [])).body.message).toMatch(/conformance tests were not run/)
    const failed = [{ gate: 'module', ok: false, text: 'it has no default export.' }]
    expect((await awa.publish(build(), failed)).body.message).toMatch(
      /failed at module: it has no default export/,
    )
  })

  test('with an unreadable manifest, before a file is sent', async () => {
    const { person } = await startRegistry()
    const awa = await person('Awa')
    const answer = await awa.publish(build('1.0.0', { contract: 'any' }))
    expect(answer.status).toBe(422)
    expect(answer.body.message).toMatch(/contract A contract range is written \^1\.0\.0/)
  })

  test('when it is not compatible with the previous shell, which open tabs still run', async () => {
    const { person, registry } = await startRegistry()
    const shell = await registry.store.read('shells/aaaaaaaaaaaa.json')
    const older = { ...JSON.parse(String(shell)), contract: '1.0.0' }
    await registry.store.replace('shells/aaaaaaaaaaaa.json', JSON.stringify(older))
    await publishRelease(registry, buildProduct('bbbbbbbbbbbb'), { id: 'release-test-2', jwk: makeKey() })
    const awa = await person('Awa')
    const answer = await awa.publish(build())
    expect(answer.status).toBe(422)
    expect(answer.body.message).toMatch(/1\.0\.0 \(the shell before, still open in tabs\)/)
  })
})

test('a partner’s remote is refused while another remote has the same global name', async () => {
  const { person } = await startRegistry()
  const keys = ['mfe-health', 'mfe-rain']
  const [awa, moussa] = [await person('Awa', keys), await person('Moussa', keys)]
  const remote = { name: 'weather', expose: './Report' }
  const other = {
    name: 'mfe-rain',
    routes: ['/admin/rain'],
    permission: 'users.view',
    permissions: [],
    remote,
  }
  expect((await awa.publish(build('1.0.0', { ...other, words: { en: [], fr: [], same: 0 } }))).status).toBe(
    201,
  )
  expect((await moussa.change('mfe-rain', 'promote', { version: '1.0.0' })).status).toBe(200)
  const refused = await awa.publish(build('1.0.0', { remote }))
  expect(refused.status).toBe(422)
  expect(refused.body.message).toContain('weather is the global of mfe-rain too')
  const renamed = { ...remote, name: 'health_weather' }
  expect((await awa.publish(build('1.0.0', { remote: renamed }))).status).toBe(201)
})

test('a partner’s build that could not read the live one’s records is refused, and told what to write', async () => {
  const { person } = await startRegistry()
  const [awa, moussa] = [await person('Awa'), await person('Moussa')]
  const visits = { name: 'visits', read: 'health.view', write: 'health.view' }
  const weighed = { name: 'weighed', label, type: 'text' as const }
  const girls = { name: 'girls', label, type: 'whole' as const }
  const next = { ...visits, fields: [girls] }
  await awa.publish(build('1.0.0', { collections: [{ ...visits, fields: [weighed] }] }))
  expect((await moussa.change('mfe-health', 'promote', { version: '1.0.0' })).status).toBe(200)
  const refused = await awa.publish(build('1.1.0', { collections: [next] }))
  expect(refused.status).toBe(422)
  expect(refused.body.message).toContain(
    'visits.weighed is no longer declared, and records have it: set "version": 2',
  )
  const changes = [
    {
      to: 2,
      rename: { weighed: 'girls' },
      convert: { girls: { from: 'text' as const, to: 'whole' as const } },
    },
  ]
  const unnumbered = await awa.publish(build('1.1.0', { collections: [{ ...next, changes }] }))
  expect(unnumbered.body.message).toContain('A collection of version 3 has changes to 2 and to 3')
  const answer = await awa.publish(build('1.1.0', { collections: [{ ...next, version: 2, changes }] }))
  expect(answer.status, answer.body.message).toBe(201)
  expect((await moussa.change('mfe-health', 'promote', { version: '1.1.0' })).status).toBe(200)
  // What was live before can come back.
  const older = { version: '1.0.0', downgrade: true }
  expect((await moussa.change('mfe-health', 'promote', older)).status).toBe(200)
})

test('a partner’s build that no longer tells what another live module hears is refused', async () => {
  const { person } = await startRegistry()
  const keys = ['mfe-health', 'mfe-rain']
  const [awa, moussa] = [await person('Awa', keys), await person('Moussa', keys)]
  const seen = { id: 'seen', title: label, permission: 'health.view', fields: [] }
  const hearing = {
    ...{ name: 'mfe-rain', routes: ['/admin/rain'], permission: 'users.view', permissions: [] },
    ...{ listens: ['mfe-health:seen'], words: { en: [], fr: [], same: 3 } },
  }
  for (const [name, sent] of [
    ['mfe-health', build('1.0.0', { events: [seen] })],
    ['mfe-rain', build('1.0.0', hearing)],
  ] as const) {
    const answer = await awa.publish(sent)
    expect(answer.status, answer.body.message).toBe(201)
    expect((await moussa.change(name, 'promote', { version: '1.0.0' })).status).toBe(200)
  }
  const refused = await awa.publish(build('1.1.0', {}))
  expect(refused.body.message).toContain('mfe-rain hears mfe-health:seen, which is gone')
  expect((await awa.publish(build('1.1.0', { events: [seen] }))).status).toBe(201)
})

test('a partner whose build passes reads the finding of every gate', async () => {
  const { person, registry } = await startRegistry()
  const awa = await person('Awa')
  const maps = JSON.stringify({ 'page.js': noMap })
  const sent = build('1.0.0', {}, { 'page.css': '.mfe-health p { margin: 0 }', 'sources.map': maps })
  const { body } = await awa.publish(sent)
  expect(body.checks.every(({ ok, text }: Check) => ok && text)).toBe(true)
  expect(body.checks.map(({ gate }: Check) => gate)).toHaveLength(18)
  // The maps lie beside the build, and are checked again when it goes live.
  expect(String(await registry.builds.maps('mfe-health', sent.details.build))).toBe(maps)
  const moussa = await person('Moussa')
  expect((await moussa.change('mfe-health', 'promote', { version: '1.0.0' })).status).toBe(200)
  await registry.store.replace(`modules/mfe-health/${sent.details.build}/sources.map`, '{}')
  expect(await registry.builds.maps('mfe-health', sent.details.build)).toBeNull()
})
