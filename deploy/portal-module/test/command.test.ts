import { chmodSync, cpSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, onTestFinished, test } from 'vitest'
import { parse } from 'yaml'
import { startRegistry } from '../../registry/test/test-registry.ts'
import { makeModule, type TestModule } from './module.ts'

let module: TestModule
beforeAll(async () => {
  module = await makeModule()
  for (const [id, person] of [
    ['awa', 'Awa Keïta'],
    ['moussa', 'Moussa Sarr'],
  ] as const)
    await module.run(['key', id, '--person', person])
}, 240_000)
afterAll(() => module.end())

/** A portal that knows both keys. */
async function startPortal() {
  const at = '2026-11-23T08:00:00.000Z'
  const place = { reference: 'MF-ABCDEF', path: '/admin/clinics', stack: 'at NotesPage (notes.js:1:2)' }
  const failure = { at, version: '0.2.0', reason: 'crash', message: 'no such thing', ...place }
  const { app, registry } = await startRegistry(
    undefined,
    async () => [failure],
    async () => ({
      weeks: [{ week: '2026-11-16', loads: 12, errors: 1, people: 4, load_ms_median: 180 }],
      pages: [
        { page: '/admin/clinics', week: '2026-11-16', loads: 9 },
        { page: '/admin/clinics/:id', week: '2026-11-16', loads: 3 },
      ],
    }),
  )
  /** An administrator of the portal admits everything that waits. */
  const admitAll = async () => {
    for (const { name, build } of await registry.waiting())
      await registry.admit({ by: 'administrator Fatou', name, build })
  }
  for (const [id, person] of [
    ['awa', 'Awa Keïta'],
    ['moussa', 'Moussa Sarr'],
  ] as const) {
    const half = JSON.parse(readFileSync(join(module.dir, `${id}.public.json`), 'utf8'))
    await registry.keys.add({
      ...{ id, person, name: id, public: half, modules: ['mfe-clinics'], retired: false },
      may: ['publish', 'promote', 'rollback', 'disable', 'pin', 'revoke'],
    })
  }
  return { address: await app.listen({ port: 0, host: '127.0.0.1' }), registry, admitAll }
}

test('a team’s CI systems run commands that a new module has, and publish with the key as a secret', async () => {
  const { scripts } = JSON.parse(readFileSync(join(module.dir, 'package.json'), 'utf8'))
  const { output: help } = await module.run(['--help'])
  type Job = { steps?: { run?: string; env?: Record<string, string> }[]; script?: string[] }
  const github = parse(readFileSync(join(module.dir, '.github/workflows/module.yml'), 'utf8')).jobs
  const { image: _, stages: __, ...gitlab } = parse(readFileSync(join(module.dir, '.gitlab-ci.yml'), 'utf8'))
  for (const jobs of [github, gitlab] as Record<string, Job>[]) {
    const lines = Object.values(jobs).flatMap(({ steps = [], script = [] }) => [
      ...script,
      ...steps.flatMap(({ run }) => run ?? []),
    ])
    const own = lines.flatMap(
      (line) => /^npm (?:run )?(types|test|build|test:browser)$/.exec(line)?.[1] ?? [],
    )
    expect(own).toEqual(['types', 'test', 'test:browser'])
    for (const name of own) expect(scripts).toHaveProperty(name)
    const commands = lines.flatMap((line) => /^npx portal-module (\w+)$/.exec(line)?.[1] ?? [])
    expect(commands).toEqual(['publish'])
    for (const command of commands) expect(help).toContain(`  ${command}`)
  }
  expect(github.publish.steps.at(-1).env.PORTAL_KEY).toBe('${' + '{ secrets.PORTAL_KEY }}')
})

test('a team publishes, promotes, tries a canary, rolls back and revokes', async () => {
  const { address, registry, admitAll } = await startPortal()
  const output = async (...args: string[]) => (await module.run(args, address)).output
  const key = (name: string) => ['--key', `${name}.key.json`]

  const published = await output('publish', ...key('awa'))
  expect(published).toContain('✓ conformance:')
  expect(published).toContain('mfe-clinics 0.1.0 is published; nobody sees it yet.')
  const waits = 'It waits for an administrator of the portal, who is told of it and admits it under Modules'
  expect(published).toContain(waits)
  expect(await output('publish', ...key('awa'))).toContain(
    `published already, with these very files. ${waits}`,
  )
  expect(await output('promote', ...key('awa'))).toContain(
    'was published by Awa Keïta; somebody else promotes it',
  )
  expect(await output('promote', ...key('moussa'))).toContain('mfe-clinics 0.1.0 waits for admission')
  await admitAll()
  expect(await output('promote', ...key('moussa'))).toContain('mfe-clinics 0.1.0 is live.')

  // The same bytes for another portal, from the artefact alone: a folder without sources.
  const second = await startPortal()
  const artefact = join(module.dir, 'artefact')
  cpSync(join(module.dir, 'dist'), artefact, { recursive: true })
  const elsewhere = async () =>
    (await module.run(['publish', '--build', 'artefact', ...key('awa')], second.address)).output
  expect(await elsewhere()).toContain('mfe-clinics 0.1.0 is published')
  const builds = [registry, second.registry].map((each) => each.builds.list('mfe-clinics'))
  const [here, there] = (await Promise.all(builds)).map(([record]) => record?.integrity)
  expect(there).toBe(here)
  writeFileSync(join(artefact, 'remoteEntry.js'), 'steal()')
  expect(await elsewhere()).toContain('remoteEntry.js in')

  module.setVersion('0.2.0')
  expect(await output('publish', ...key('awa'))).toContain('mfe-clinics 0.2.0 is published')
  await admitAll()
  expect(await output('promote', '--canary', '10%', ...key('moussa'))).toContain('0.2.0 is live for those')
  expect(await output('status')).toMatch(/mfe-clinics +0\.1\.0 .*canary 0\.2\.0 for 10%/)
  await output('promote', ...key('moussa'))
  expect(await output('diff')).toMatch(/mfe-clinics: 0\.1\.0 .* → 0\.2\.0/)
  expect(await output('promote', '0.1.0', ...key('moussa'))).toContain(
    'mfe-clinics 0.1.0 is older than 0.2.0, which is live',
  )
  expect(await output('promote', '0.1.0', '--downgrade', ...key('moussa'))).toContain('0.1.0 is live.')
  await output('promote', ...key('moussa'))
  const versions = await output('versions', ...key('awa'))
  expect(versions).toMatch(/0\.2\.0 .* by Awa Keïta +admitted by administrator Fatou/)
  expect(versions).toMatch(/promote +0\.2\.0 .* by Moussa Sarr/)
  expect(await output('errors', ...key('awa'))).toMatch(
    /0\.2\.0 {2}crash {2}MF-ABCDEF {2}\/admin\/clinics\n {4}no such thing\n {4}at NotesPage \(notes\.js:1:2\)/,
  )
  const usage = await output('usage', ...key('awa'))
  expect(usage).toMatch(/2026-11-16 +12 +1 +4 +180 ms +█{20}/)
  expect(usage).toMatch(/page +2026-11-16\n\/admin\/clinics +9\n\/admin\/clinics\/:id +3/)
  expect(await output('logs', ...key('awa'))).toMatch(/refused +Moussa Sarr .* waits for admission/)
  expect(await output('errors', 'mfe-users', ...key('awa'))).toContain('The key awa is not for mfe-users')
  expect(await output('rollback', ...key('awa'))).toContain('mfe-clinics 0.1.0 is back')
  expect(await output('pin', ...key('awa'))).toContain('stays as it is')
  expect(await output('promote', ...key('moussa'))).toContain(
    'is pinned at 0.1.0: portal-module unpin mfe-clinics',
  )
  expect(await output('revoke', '0.2.0', '--reason', 'it loses notes', ...key('awa'))).toContain(
    '0.2.0 is revoked',
  )
}, 300_000)

test('a team whose version is taken by another build reads what to do', async () => {
  const { address, registry } = await startPortal()
  module.setVersion('0.3.0')
  await module.run(['publish', '--key', 'awa.key.json'], address)
  module.change('src/notes.ts', (text) => `${text}\n// Another build.\n`)
  const { code, output } = await module.run(['publish', '--key', 'moussa.key.json'], address)
  expect(code).toBe(1)
  expect(output).toContain('raise the version in package.json')
  expect((await registry.now()).modules.map(({ name }) => name)).toEqual(['mfe-users'])
}, 240_000)

describe('nothing is sent', () => {
  test('while a word has no French', async () => {
    const { address } = await startPortal()
    module.setVersion('0.4.0')
    module.change('src/notes/NotesPage.tsx', (text) => text.replace('`Notes`', '`Many notes`'))
    expect((await module.run(['words'])).output).toContain('Many notes')
    const { code, output } = await module.run(['publish', '--key', 'awa.key.json'], address)
    expect(code).toBe(1)
    expect(output).toContain('"Many notes" has no French translation')
    module.change('src/notes/NotesPage.tsx', (text) => text.replace('`Many notes`', '`Notes`'))
    await module.run(['words'])
  }, 240_000)

  test('while a page breaks when it is drawn', async () => {
    const { address } = await startPortal()
    const broken = 'throw new Error("no such thing")\n  '
    module.change('src/notes/NotesPage.tsx', (text) => text.replace('const can =', `${broken}const can =`))
    const { code, output } = await module.run(['publish', '--key', 'awa.key.json'], address)
    expect(code).toBe(1)
    expect(output).toContain('it breaks while it is drawn (en): no such thing')
    module.change('src/notes/NotesPage.tsx', (text) => text.replace(broken, ''))
  }, 240_000)
})

test.each([
  [['promot'], 'There is no command promot.'],
  [['status', '--portl', 'x'], "Unknown option '--portl'"],
  [['status'], 'does not answer'],
  [['test', '--browser'], 'The test portal is missing: get portal-stage-'],
  [['promote', '--canary', '120%', '--key', 'awa.key.json'], 'say a share from 1% to 99%'],
  [['publish', '--key', 'nobody.json'], 'There is no key at'],
  [['key', 'awa', '--person', 'Awa Keïta'], 'is there already'],
])('a person who says %j is told why not', async (args, sentence) => {
  const { code, output } = await module.run(args)
  expect(code).toBe(1)
  expect(output).toContain(sentence)
})

test('a team cannot use a key file that other users can read', async () => {
  const file = join(module.dir, 'moussa.key.json')
  chmodSync(file, 0o644)
  onTestFinished(() => chmodSync(file, 0o600))
  expect((await module.run(['publish', '--key', file])).output).toContain(`chmod 600 ${file}`)
})

test('a developer’s module is served to the pages of one portal, which hear of each change and of what cannot be read', async () => {
  const portal = 'http://portal.test:8080'
  const port = 20_000 + (process.pid % 20_000)
  const { heard, stop } = await module.start(['dev', '--port', String(port)], portal, /override\/reset/)
  onTestFinished(() => void stop())
  expect(heard()).toContain(`${portal}/dev/override?module=mfe-clinics&port=${port}&to=/admin/clinics`)
  const read = async () => {
    const answer = await fetch(`http://localhost:${port}/build.json`)
    return { allowed: answer.headers.get('access-control-allow-origin'), record: await answer.json() }
  }
  const first = await read()
  expect(first).toMatchObject({ allowed: portal, record: { base: `http://localhost:${port}/` } })
  const page = await fetch(`http://localhost:${port}/changes`)
  expect(page.headers.get('access-control-allow-origin')).toBe(portal)
  const events = page.body?.pipeThrough(new TextDecoderStream()).getReader()
  const heardNext = async () =>
    JSON.parse(/^event: served\ndata: (.*)/.exec((await events?.read())?.value ?? '')?.[1] ?? '')
  const { build } = first.record
  const begun = await heardNext()
  expect(begun).toEqual({ build, hash: expect.any(String), sheets: expect.any(Array), fault: null })
  module.change('src/notes.ts', (text) => `${text}\nexport const changed = 'While it is served.'\n`)
  const next = await heardNext()
  expect(next).toMatchObject({ build, fault: null })
  expect(next.hash).not.toBe(begun.hash)
  const update = Object.keys((await read()).record.files).find((file) => file.endsWith('.hot-update.json'))
  expect(update).toContain(begun.hash)
  expect((await fetch(`http://localhost:${port}/${update}`)).status).toBe(200)
  module.change('src/notes.ts', (text) => `${text}export const = 1\n`)
  expect((await heardNext()).fault).toMatch(/^src\/notes\.ts:\d+:\d+\n/)
  module.change('src/notes.ts', (text) => text.replace('export const = 1\n', ''))
  expect(await heardNext()).toMatchObject({ build, fault: null })
  await events?.cancel()
  const { files } = (await read()).record
  const notes = Object.keys(files).find((file) => /NotesPage(?!.*hot-update).*\.js$/.test(file))
  const code = await (await fetch(`http://localhost:${port}/${notes}`)).text()
  expect(code).toContain('function NotesPage()')
  const map = /sourceMappingURL=(\S+)/.exec(code)?.[1]
  const { sources, sourcesContent } = await (await fetch(`http://localhost:${port}/${map}`)).json()
  const own = sources.findIndex((source: string) => source.endsWith('src/notes/NotesPage.tsx'))
  expect(sourcesContent[own]).toBe(readFileSync(join(module.dir, 'src/notes/NotesPage.tsx'), 'utf8'))
  const entry = await fetch(`http://localhost:${port}/${first.record.entry}`)
  expect(entry.headers.get('content-type')).toContain('javascript')
}, 240_000)
