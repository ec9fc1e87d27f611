import type { ModuleBuild } from '@portal/sdk/manifest'
import { describe, expect, test } from 'vitest'
import { publishRelease } from '../src/release.ts'
import { makeKey } from '../src/release-key.ts'
import type { Check } from '../src/schemas.ts'
import { integrityOf } from '../src/signing.ts'
import { build, buildProduct, startRegistry } from './ground.ts'

const label = { en: 'Visits', fr: 'Visites' }
const nav = (path: string): ModuleBuild['nav'] => [{ path, label, icon: 'cases', order: 60, children: [] }]

const source: NonNullable<ModuleBuild['search']>[number] = {
  ...{ id: 'visits', title: label, icon: 'modules', permission: 'health.view' },
  ...{ call: '/admin/health/visits', rows: 'visits', label: '{name}', link: '/admin/health/{id}' },
}

const step: NonNullable<ModuleBuild['first_day']>[number] = {
  ...{ id: 'visit', title: label, text: label, permission: 'health.view', link: '/admin/health', order: 40 },
}

/** A text that compresses badly, so that its compressed size is close to `octets`. */
const noise = (octets: number) => {
  let text = ''
  for (let at = 0; text.length < octets; at += 1) text += integrityOf(String(at)).slice(7)
  return text.slice(0, octets)
}

const noMap = { version: 3, sources: ['src/visits/VisitsPage.tsx'], names: [], mappings: '' }

const refused: [string, string, Partial<ModuleBuild>, RegExp, Record<string, string>?][] = [
  [
    'a menu entry outside its routes',
    'manifest',
    { nav: nav('/admin/schools/x') },
    /leads to \/admin\/schools\/x \(nav\.0\.path\), outside/,
  ],
  [
    'a result of the search outside its routes',
    'manifest',
    { search: [{ ...source, link: ['/admin/health/{id}', '/admin/users?search={id}'] }] },
    /leads to \/admin\/users\?search=\{id\} \(search\.0\.link\), outside/,
  ],
  [
    'a notification that leads outside its routes',
    'manifest',
    { links: [{ kind: 'import.visits', link: '/admin/healthy/{id}' }] },
    /leads to \/admin\/healthy\/\{id\} \(links\.0\.link\), outside/,
  ],
  [
    'a search through another module’s records',
    'manifest',
    { search: [{ ...source, call: '/modules/mfe-wells/records/visits' }] },
    /The search reads \/modules\/mfe-wells\/records\/visits \(search\.0\.call\)/,
  ],
  [
    'a step of the first day outside its routes',
    'manifest',
    { first_day: [{ ...step, link: '/admin/users' }] },
    /leads to \/admin\/users \(first_day\.0\.link\), outside/,
  ],
  [
    'a step that is done by what the audit log never has',
    'manifest',
    { first_day: [{ ...step, done: { type: 'visit', events: ['healed'] } }] },
    /The audit log never has healed of visit \(first_day\.0\.done\)/,
  ],
  [
    'a step for whoever has a permission that nobody can have',
    'permissions',
    { first_day: [{ ...step, permission: 'health.heal' }] },
    /Nobody can have health\.heal/,
  ],
  [
    'a search for whoever has a permission that nobody can have',
    'permissions',
    { search: [{ ...source, permission: 'health.heal' }] },
    /Nobody can have health\.heal/,
  ],
  [
    'a contract that the portal does not have',
    'contract',
    { contract: '^2.0.0' },
    /asks for contract \^2\.0\.0; the portal has/,
  ],
  [
    'another React',
    'shared',
    { shared: { react: '18.2.0', 'react-dom': '18.2.0' } },
    /react 18\.2\.0 \(the shell: 19/,
  ],
  ['no word about its React', 'shared', { shared: {} }, /does not say which React/],
  ['a route of the portal’s own', 'routes', { routes: ['/attendance'] }, /\/attendance is the portal's own/],
  ['a route below another module’s', 'routes', { routes: ['/admin/users/health'] }, /belongs to mfe-users/],
  ['a route above another module’s', 'routes', { routes: ['/admin'] }, /portal's own|belongs to/],
  [
    'a permission of the portal’s own',
    'permissions',
    { permissions: [{ name: 'users.view', label }] },
    /users\.view is the portal's own: use it without declaring/,
  ],
  [
    'words for another module’s permissions',
    'permissions',
    { resources: [{ name: 'users', label }] },
    /resources names users, and no permission of its own begins with users\./,
  ],
  [
    'a permission that nobody can have',
    'permissions',
    { permission: 'health.heal' },
    /Nobody can have health\.heal: declare it/,
  ],
  [
    'a permission by which a module is watched',
    'permissions',
    { permissions: [{ name: 'mfe-users.watch', label }] },
    /mfe-users\.watch begins with mfe-, as only the portal's own permissions on modules do/,
  ],
  [
    'a message id of another module',
    'messages',
    { words: { en: ['users.greeting'], fr: ['users.greeting'], same: 0 } },
    /users\.greeting are mfe-users's: begin yours with mfe-health/,
  ],
  [
    'words that lack French',
    'languages',
    { words: { en: ['abc123', 'def456'], fr: ['abc123'], same: 0 } },
    /French lacks def456: translate/,
  ],
  [
    'styles for every button',
    'styles',
    {},
    /page\.css would change other pages too: button\. Begin every selector/,
    { 'page.css': '.mfe-health p { margin: 0 } button { color: red }' },
  ],
  [
    'a page that is too heavy',
    'budget',
    {},
    /\/admin\/health is .* KiB, a page may be 60 KiB: load what/,
    { 'page.js': noise(100_000) },
  ],
  [
    'a part that is loaded lazily and too heavy',
    'weights',
    {},
    /map\.js is .* KiB, compressed; a file may be 200 KiB/,
    { 'map.js': noise(300_000) },
  ],
  [
    'source maps that name folders of a machine',
    'maps',
    {},
    /paths of a machine/,
    { 'sources.map': JSON.stringify({ 'page.js': { ...noMap, sources: ['/home/awa/src/page.tsx'] } }) },
  ],
  [
    'a file that the portal would not serve',
    'files',
    {},
    /index\.html: not a kind of file/,
    { 'index.html': '<p>' },
  ],
  [
    'something of another module inside',
    'sources',
    { sources: ['mfe-health', 'mfe-transfers'] },
    /Something of mfe-transfers is inside/,
  ],
]

describe('a build is refused at the gate', () => {
  test.each(refused)('with %s', async (_what, gate, change, sentence, files) => {
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
  expect(body.checks.map(({ gate }: Check) => gate)).toHaveLength(17)
  // The maps lie beside the build, and are checked again when it goes live.
  expect(String(await registry.builds.maps('mfe-health', sent.details.build))).toBe(maps)
  const moussa = await person('Moussa')
  expect((await moussa.change('mfe-health', 'promote', { version: '1.0.0' })).status).toBe(200)
  await registry.store.replace(`modules/mfe-health/${sent.details.build}/sources.map`, '{}')
  expect(await registry.builds.maps('mfe-health', sent.details.build)).toBeNull()
})
