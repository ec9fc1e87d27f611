import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { compress } from '@portal/build/files'
import type { ModuleBuild } from '@portal/sdk/manifest'
import { expect, onTestFinished, test } from 'vitest'
import { label, refusedBuilds } from '../../registry/test/refused-builds.ts'
import {
  type Built,
  build,
  passed,
  startRegistry,
  type TestRegistry,
} from '../../registry/test/test-registry.ts'
import { checkModule, findingsOf } from '../src/check.ts'
import { connect } from '../src/portal.ts'
import { publishModule } from '../src/publish.ts'

type Finding = { gate: string; ok: boolean; text: string }
type Publisher = Awaited<ReturnType<TestRegistry['person']>>

/** A portal that listens, and two people of the team. */
async function startPortal() {
  const started = await startRegistry()
  const modules = ['mfe-health', 'mfe-rain']
  const [awa, moussa] = [await started.person('Awa', modules), await started.person('Moussa', modules)]
  const goLive = async (built: Built) => {
    const { name, version } = built.details
    const published = await awa.publish(built)
    expect(published.status, published.body.message).toBe(201)
    expect((await moussa.change(name, 'promote', { version })).status).toBe(200)
  }
  return { address: await started.app.listen({ port: 0, host: '127.0.0.1' }), awa, goLive }
}

/** The build as it lies on a laptop. */
async function onLaptop({ details, record, files }: Built) {
  const folder = mkdtempSync(join(tmpdir(), 'portal-gates-'))
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }))
  for (const [path, content] of Object.entries({ ...files, 'build.json': record }))
    writeFileSync(join(folder, path), content)
  await compress(folder)
  return { folder, record: details, fresh: true }
}

/** What `portal-module publish` says of a build that it does not send. */
async function refusalOf(address: string, { key: { id, jwk } }: Publisher, built: Built): Promise<string> {
  const { kty, crv, x, d } = jwk as { kty: 'OKP'; crv: 'Ed25519'; x: string; d: string }
  const key = { id, person: 'Awa', private: { kty, crv, x, d } }
  const sent = publishModule({ dir: '.', portal: address, key, built: await onLaptop(built) })
  return sent.then(
    () => 'It was sent.',
    (fault: Error) => fault.message,
  )
}

const rain = {
  ...{ name: 'mfe-rain', routes: ['/admin/rain'], permission: 'users.view', permissions: [] },
  words: { en: [], fr: [], same: 3 },
}
const seen = { id: 'seen', title: label, permission: 'health.view', fields: [] }
const visits = (type: 'text' | 'whole') => ({
  ...{ name: 'visits', read: 'health.view', write: 'health.view' },
  fields: [{ name: 'weighed', label, type }],
})
const weather = { name: 'weather', expose: './Report' }

type Case = [
  what: string,
  gate: string,
  change: Partial<ModuleBuild>,
  files: Record<string, string>,
  live: Built[],
]
/** What only shows beside what is live. */
const besideOthers: Case[] = [
  [
    'records that nobody could read any more',
    'records',
    { collections: [visits('whole')] },
    {},
    [build('1.0.0', { collections: [visits('text')] })],
  ],
  [
    'an event less, which another module hears',
    'events',
    {},
    {},
    [build('1.0.0', { events: [seen] }), build('1.0.0', { ...rain, listens: ['mfe-health:seen'] })],
  ],
  [
    'the global of another remote',
    'remote',
    { remote: weather },
    {},
    [build('1.0.0', { ...rain, remote: weather })],
  ],
]
const cases: Case[] = [
  ...refusedBuilds.map(([what, gate, change, , files = {}]): Case => [what, gate, change, files, []]),
  ...besideOthers,
]

/** Gates that know everything from the build itself. */
const needNoPortal = new Set([
  ...['manifest', 'languages', 'styles', 'budget', 'weights', 'files', 'maps', 'sources', 'conformance'],
])

test.each(cases)(
  'a team whose build has %s reads the server’s sentence from its own command, and nothing is sent',
  async (_what, gate, change, files, live) => {
    const { address, awa, goLive } = await startPortal()
    for (const each of live) await goLive(each)
    const built = build('1.1.0', change, files)
    const laptop = await refusalOf(address, awa, built)
    const server = await awa.publishOnly(built)
    expect(server.status).toBe(422)
    const closed = (server.body.checks as Finding[]).filter(({ ok }) => !ok)
    expect(closed.map((each) => each.gate)).toContain(gate)
    for (const each of closed) expect(laptop).toContain(`✗ ${each.gate}: ${each.text}`)
    const [offline] = (await checkModule(null, await onLaptop(built))).checks.filter(
      (each) => each.gate === gate,
    )
    const { text } = closed.find((each) => each.gate === gate) as Finding
    if (needNoPortal.has(gate))
      expect(offline).toMatchObject({ ok: false, text: expect.stringContaining(text) })
  },
)

test('a team whose page breaks reads the server’s sentence about it from its own command', async () => {
  const { address, awa } = await startPortal()
  const built = build()
  const laptop = await refusalOf(address, awa, built)
  const [, text = ''] = /✗ module: (.+)/.exec(laptop) ?? []
  const server = await awa.publishOnly(built, [{ gate: 'module', ok: false, text }])
  const closed = (server.body.checks as Finding[]).filter(({ ok }) => !ok)
  expect(closed.map(({ gate }) => gate)).toEqual(['conformance'])
  expect(laptop).toContain(`✗ conformance: ${closed[0]?.text}`)
})

test('a team whose records may be anything is warned, with what to write, and may publish all the same', async () => {
  const { address, awa } = await startPortal()
  const collection = (name: string, fields?: ModuleBuild['collections'][number]['fields']) => ({
    ...{ name, read: 'health.view', write: 'health.view' },
    ...(fields && { fields }),
  })
  const typed = collection('visits', [{ name: 'weighed', label, type: 'whole' }])
  const loose = [collection('notes', [{ name: 'text', label }]), collection('drafts')]
  const warningOf = async (built: Built) => {
    const { checks } = await checkModule(null, await onLaptop(built), connect(address))
    return checks.filter(({ gate }) => gate === 'fields')
  }
  const built = build('1.0.0', { collections: [typed, ...loose] })
  const [warning, ...others] = await warningOf(built)
  expect(warning).toMatchObject({ ok: true, warns: true })
  expect(warning?.text).toMatch(/^notes and drafts take any record: .*"type": "text"/)
  expect(others).toEqual([])
  expect(findingsOf([warning as Finding])).toMatch(/^! fields: notes and drafts/)
  expect((await awa.publishOnly(built)).status).toBe(201)
  expect(await warningOf(build('1.0.1', { collections: [typed] }))).toMatchObject([
    { ok: true, warns: false },
  ])
})

test('a team has every gate of the server on its laptop, with a portal and without, and each has a build that it refuses', async () => {
  const { address, awa } = await startPortal()
  const built = build()
  const server = (await awa.publishOnly(built, passed)).body.checks as Finding[]
  const names = server.map(({ gate }) => gate)
  expect(names.length).toBeGreaterThan(10)
  for (const portal of [connect(address), undefined]) {
    const { checks: found } = await checkModule(null, await onLaptop(built), portal)
    expect(found.map(({ gate }) => gate)).toEqual(expect.arrayContaining(names))
    if (portal)
      for (const each of server.filter(({ gate }) => gate !== 'conformance'))
        expect(found).toContainEqual(each)
  }
  const guide = readFileSync(join(import.meta.dirname, '../../../docs/partners.md'), 'utf8')
  const [, table = ''] = /\| gate \| what it checks \|\n\|[-|]+\n((?:\|.*\n)+)/.exec(guide) ?? []
  const explained = table.split('\n').flatMap((row) => row.split('|')[1]?.trim().split(', ') ?? [])
  expect(explained.toSorted()).toEqual(names.toSorted())
  const comparison = readFileSync(join(import.meta.dirname, '../../../docs/comparison.md'), 'utf8')
  expect(comparison).toContain(`yes, ${names.length} gates, one list for the laptop and the server`)
  const refusing = new Set(['conformance', ...cases.map(([, gate]) => gate)])
  expect(names.filter((gate) => !refusing.has(gate))).toEqual([])
})
