import { spawn } from 'node:child_process'
import { existsSync, mkdirSync, mkdtempSync, rmSync, statSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join, relative } from 'node:path'
import { expect, onTestFinished, test } from 'vitest'
import { keyCommands } from '../src/key-commands.ts'
import { openRegistry } from '../src/registry.ts'
import { dataFolder, distFolder } from '../src/settings.ts'
import { diskStore } from '../src/store.ts'
import { startS3 } from './s3-server.ts'
import { build, buildProduct, makeKey, startRegistry } from './test-registry.ts'

const source = join(import.meta.dirname, '../src')

function emptyFolder() {
  const folder = mkdtempSync(join(tmpdir(), 'registry-command-'))
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }))
  return folder
}

/** An address at which no portal runs. */
const nowhere = 'http://127.0.0.1:1'

/** Runs commands of the operator on a data folder, called from a folder. */
function operator(dataDir: string, more: NodeJS.ProcessEnv = {}, cwd = process.cwd()) {
  const own = { PORTAL_DATA_DIR: dataDir, PORTAL_DEMO: 'true', PORTAL_URL: nowhere }
  const env = { ...process.env, NODE_ENV: undefined, ...own, ...more }
  return (...args: string[]): Promise<{ code: number | null; output: string }> => {
    const child = spawn(process.execPath, [join(source, 'command.ts'), ...args], { env, cwd })
    let output = ''
    child.stdout.on('data', (chunk) => (output += chunk))
    child.stderr.on('data', (chunk) => (output += chunk))
    return new Promise((resolve) => child.once('close', (code) => resolve({ code, output: output.trim() })))
  }
}

test('an operator publishes a release, and repeating it has no effect', async () => {
  const folder = emptyFolder()
  const run = operator(folder, { PORTAL_DIST_DIR: buildProduct() })
  expect(await run('release')).toEqual({
    code: 0,
    output: `Generation 1 of the modules is live in ${join(folder, 'registry')}.`,
  })
  expect(await run('release')).toEqual({
    code: 0,
    output: `Generation 1 of the modules is live in ${join(folder, 'registry')} already.`,
  })
  expect(statSync(join(folder, 'release-key.json')).mode & 0o777).toBe(0o600)
  expect((await run('status')).output).toMatch(
    /^Store: .*\nGeneration 1, .*\nmfe-users {2}0\.1\.0 \([a-f0-9]{12}\) {2}live {2}Release$/,
  )
})

/** The settings of a bucket. */
const bucketOf = ({ endpoint, bucket }: { endpoint: string; bucket: string }) => ({
  S3_ENDPOINT: endpoint,
  S3_BUCKET: bucket,
  S3_KEY: 'key',
  S3_SECRET: 'hidden',
})

test('an operator whose bucket comes late after a power cut has the release published, and reads what was waited for', async () => {
  const server = await startS3()
  const dist = { PORTAL_DIST_DIR: buildProduct(), ...bucketOf(server) }
  server.state.away = true
  const released = operator(emptyFolder(), dist)('release')
  const missed = server.missed.then(() => setTimeout(() => (server.state.away = false), 5_000))
  expect(await released).toEqual({
    code: 0,
    output: expect.stringMatching(
      /^(Waiting for the bucket portal at \S+, 600 s at most: \w+\n)+The bucket portal at \S+ answers, after \d+ s\.\nGeneration 1 /,
    ),
  })
  server.state.away = true
  const late = { ...dist, PORTAL_START_SECONDS: '1' }
  expect(await operator(emptyFolder(), late)('release')).toEqual({
    code: 1,
    output: expect.stringMatching(/did not answer within 1 s \(\w+\)\. Nothing was done\.$/),
  })
  server.state.away = false
  const stranger = { ...dist, S3_KEY: 'somebody' }
  expect(await operator(emptyFolder(), stranger)('release')).toMatchObject({
    code: 1,
    output: expect.stringMatching(/^The store answered 403/),
  })
  await missed
})

test('an operator whose store overwrites what exists is refused, because two releases at once would lose one', async () => {
  const server = await startS3()
  server.state.overwrites = true
  const dist = { PORTAL_DIST_DIR: buildProduct(), ...bucketOf(server) }
  expect(await operator(emptyFolder(), dist)('release')).toEqual({
    code: 1,
    output: `The store of the modules overwrites an object although it is told not to (If-None-Match: *), so of two changes at the same time one would be lost. The bucket ${server.bucket} at ${server.endpoint} cannot have modules. If the bucket has versioning, turn it off (docs/operating/stores.md).`,
  })
  expect([...server.objects.keys()]).toEqual([])
  server.state.overwrites = false
  expect((await operator(emptyFolder(), dist)('release')).code).toBe(0)
  expect([...server.objects.keys()].filter((key) => key.startsWith('probe'))).toEqual([])
})

test('an operator whose store has no space left is told so, and not that it refuses her', async () => {
  const server = await startS3()
  server.state.full = true
  const dist = { PORTAL_DIST_DIR: buildProduct(), ...bucketOf(server) }
  expect(await operator(emptyFolder(), dist)('release')).toEqual({
    code: 1,
    output: expect.stringMatching(
      /^The store of the modules has no space left: it answered 403 to PUT probe\//,
    ),
  })
})

test('an operator who writes no number for how long to wait is told so, instead of waiting for ever', async () => {
  const server = await startS3()
  server.state.away = true
  for (const seconds of ['ten', '-1', '86401']) {
    const dist = { PORTAL_DIST_DIR: buildProduct(), ...bucketOf(server), PORTAL_START_SECONDS: seconds }
    expect(await operator(emptyFolder(), dist)('release')).toEqual({
      code: 1,
      output: 'PORTAL_START_SECONDS is a whole number from 0 to 86400.',
    })
  }
  expect(server.calls).toEqual([])
})

test('an operator outside of a demo must name the release key', async () => {
  const dist = { PORTAL_DIST_DIR: buildProduct(), PORTAL_DEMO: 'false' }
  const folder = emptyFolder()
  const refused = await operator(folder, dist)('release')
  expect(refused).toMatchObject({
    code: 1,
    output: expect.stringMatching(/^PORTAL_RELEASE_KEY is missing: set it to/),
  })
  const { output: key } = await operator(folder)('key:make')
  expect(await operator(folder, { ...dist, PORTAL_RELEASE_KEY: key })('release')).toMatchObject({ code: 0 })
  expect(existsSync(join(folder, 'release-key.json'))).toBe(false)
  const wrong = await operator(folder, { ...dist, PORTAL_RELEASE_KEY: 'secret' })('release')
  expect(wrong.output).toMatch(/^PORTAL_RELEASE_KEY is no private Ed25519 key/)
})

test('an operator adds a publisher’s key, retires it, and revokes what it signed', async () => {
  const folder = emptyFolder()
  const run = operator(folder, { PORTAL_DIST_DIR: buildProduct() })
  await run('release')
  const { kty, crv, x } = JSON.parse((await run('key:make')).output)
  const half = JSON.stringify({ kty, crv, x })
  const add = ['key:add', 'awa', '--person', 'Awa Keïta', '--modules', 'mfe-health', '--public', half]
  expect((await run(...add)).output).toBe(
    `Store: ${join(folder, 'registry')}\nawa of Awa Keïta may publish, promote, rollback, disable, pin mfe-health.`,
  )
  expect((await run(...add)).output).toMatch(/There is a key awa already, of Awa Keïta: choose another id/)
  expect((await run('key:add', 'x')).output).toMatch(/needs an id, --person, --public and --modules/)
  expect((await run('key:remove', 'awa')).output).toMatch(/signs nothing new/)
  expect((await run('key:list')).output).toMatch(/awa {2}Awa Keïta {2}mfe-health {2}retired/)
  expect((await run('revoke', '--key', 'awa', '--reason', 'stolen')).code).toBe(0)
  expect((await run('revoke', 'mfe-users', '0.1.0', '--reason', 'it leaks')).output).toMatch(
    /Revoked: mfe-users 0\.1\.0/,
  )
  const registry = openRegistry({ store: diskStore(join(folder, 'registry')) })
  expect((await registry.status()).modules[0]).toMatchObject({ state: 'withheld', withheld: 'revoked' })
  expect((await run('log')).output).toMatch(
    /operator: revoke {2}mfe-users 0\.1\.0: it leaks[\s\S]*operator: key:add {2}awa of Awa Keïta/,
  )
  expect((await run('dance')).output).toMatch(/^npm run registry -- <command>/)
})

test('an operator admits a build that waits, once, and reads why another one cannot be admitted', async () => {
  const { folder, registry, person } = await startRegistry()
  const awa = await person('Awa')
  for (const version of ['1.0.0', '1.1.0']) await awa.publishOnly(build(version))
  const run = operator(emptyFolder(), { PORTAL_REGISTRY_DIR: folder })
  const admit = (...words: string[]) => run('admit', ...words)
  const refused = (output: RegExp) => ({ code: 1, output: expect.stringMatching(output) })

  expect(await admit('mfe-health')).toMatchObject(refused(/admit needs a module and a version/))
  expect(await admit('mfe-health', '9.9.9')).toMatchObject(
    refused(/mfe-health 9\.9\.9 was never published; there are 1\.0\.0, 1\.1\.0\.$/),
  )
  expect(await admit('mfe-nothing', '1.0.0')).toMatchObject(
    refused(/mfe-nothing 1\.0\.0 was never published\.$/),
  )
  expect(await admit('mfe-users', '0.1.0')).toMatchObject(
    refused(/mfe-users is one of the portal's own modules: the release key admits it\.$/),
  )
  expect((await registry.waiting()).map(({ version }) => version)).toEqual(['1.1.0', '1.0.0'])

  expect(await admit('mfe-health', '1.0.0')).toEqual({
    code: 0,
    output: expect.stringMatching(
      /^Store: .*\nmfe-health 1\.0\.0 \([a-f0-9]{12}\) is admitted, and runs isolated: its team can promote it\.$/,
    ),
  })
  expect(await admit('mfe-health', '1.0.0')).toEqual({
    code: 0,
    output: expect.stringMatching(
      /mfe-health 1\.0\.0 \([a-f0-9]{12}\) was admitted already, by operator on \d{4}-\d\d-\d\d: trust and isolate decide where it runs\.$/,
    ),
  })
  const moussa = await person('Moussa')
  expect((await moussa.change('mfe-health', 'promote', { version: '1.0.0' })).status).toBe(200)

  const page = async () => [...(await registry.verified()).inPage].filter((each) => each.includes('health'))
  expect(await page()).toEqual([])
  expect((await run('trust', 'mfe-health', '1.0.0')).output).toMatch(
    /is trusted: it runs in the portal's page/,
  )
  expect(await page()).toHaveLength(1)
  expect((await run('isolate', 'mfe-health', '1.0.0')).output).toMatch(
    /runs isolated, in a frame of its own\.$/,
  )
  expect(await page()).toEqual([])
  expect((await run('trust', 'mfe-health', '1.1.0')).output).toMatch(
    /waits for admission: it is decided there\.$/,
  )

  await run('revoke', 'mfe-health', '1.1.0', '--reason', 'it leaks')
  expect(await admit('mfe-health', '1.1.0')).toMatchObject(
    refused(/mfe-health 1\.1\.0 was revoked by operator \(it leaks\): publish a new version\.$/),
  )
  expect((await registry.log.read()).filter(({ what }) => what === 'admit')).toHaveLength(1)
}, 120_000)

test('an operator removes a partner’s module, and what waited of it waits no longer', async () => {
  const { folder, registry, person } = await startRegistry()
  const [awa, moussa] = [await person('Awa'), await person('Moussa')]
  await awa.publish(build())
  await moussa.change('mfe-health', 'promote', { version: '1.0.0' })
  await awa.publishOnly(build('1.1.0'))
  const run = operator(emptyFolder(), { PORTAL_REGISTRY_DIR: folder })
  const live = async () => (await registry.now()).modules.map(({ name }) => name)

  expect((await run('remove')).output).toMatch(/remove needs a module/)
  expect(await run('remove', 'mfe-nothing')).toMatchObject({
    code: 1,
    output: expect.stringMatching(/There is no module mfe-nothing\.$/),
  })
  expect(await run('remove', 'mfe-users')).toMatchObject({
    code: 1,
    output: expect.stringMatching(/mfe-users is one of the portal's own modules/),
  })
  expect(await live()).toEqual(['mfe-health', 'mfe-users'])

  const gone =
    /mfe-health is no longer part of the portal \(generation 3\)\. Its builds stay published; none of them waits for admission any more\.$/
  expect(await run('remove', 'mfe-health')).toEqual({ code: 0, output: expect.stringMatching(gone) })
  expect(await live()).toEqual(['mfe-users'])
  expect(await registry.waiting()).toEqual([])
  expect((await moussa.change('mfe-health', 'promote', { version: '1.1.0' })).body.message).toBe(
    'mfe-health 1.1.0 was published before mfe-health was removed from the portal, and waits for nobody: raise the version in package.json, build and publish again.',
  )

  // A module that was never live is removed alike.
  await awa.publishOnly(build('1.2.0'))
  expect((await registry.waiting()).map(({ version }) => version)).toEqual(['1.2.0'])
  expect(await run('remove', 'mfe-health')).toEqual({ code: 0, output: expect.stringMatching(gone) })
  expect(await registry.waiting()).toEqual([])
  expect((await run('log')).output).toMatch(
    /operator: remove {2}mfe-health[\s\S]*operator: remove {2}remove mfe-health/,
  )
}, 120_000)

test('an operator releases from any folder into the data folder of the repository, which npm start uses', async () => {
  const folder = emptyFolder()
  const root = join(source, '../../..')
  // Deep enough that the relative path leads elsewhere from there.
  const elsewhere = join(emptyFolder(), 'a/b/c/d/e/f/g/h')
  mkdirSync(elsewhere, { recursive: true })
  const run = operator(relative(root, folder), { PORTAL_DIST_DIR: buildProduct() }, elsewhere)
  expect((await run('release')).output).toBe(
    `Generation 1 of the modules is live in ${join(folder, 'registry')}.`,
  )
  expect(existsSync(join(folder, 'release-key.json'))).toBe(true)
  expect(dataFolder({})).toBe(join(root, '.data'))
  expect(distFolder({})).toBe(join(root, 'dist'))
})

test('an operator whose portal uses another store is told so, and nothing is written', async () => {
  const { app, folder: theirs } = await startRegistry()
  const portal = await app.listen({ port: 0, host: '127.0.0.1' })
  const folder = emptyFolder()
  const { output: key } = await operator(folder)('key:make')
  const add = ['key:add', 'awa', '--person', 'Awa Keïta', '--modules', 'mfe-health', '--public', key]

  const refused = await operator(folder, { PORTAL_URL: portal })(...add)
  expect(refused.code).toBe(1)
  expect(refused.output).toContain(`${portal} uses another store than ${join(folder, 'registry')}`)
  expect(refused.output).toContain('PORTAL_DATA_DIR')
  expect((await operator(folder)('key:list')).output).toContain('There is no key yet')

  const right = { PORTAL_URL: portal, PORTAL_REGISTRY_DIR: theirs }
  expect(await operator(folder, right)(...add)).toMatchObject({ code: 0 })
  const named = operator(folder, { PORTAL_URL: portal })
  expect((await named('key:list', '--store', join(folder, 'registry'))).output).toContain('no key yet')
  expect((await named('key:list', '--store', theirs)).output).toContain('Awa Keïta')
})

test('an operator runs the registry as a separate process', async () => {
  const folder = emptyFolder()
  await operator(folder, { PORTAL_DIST_DIR: buildProduct() })('release')
  const env = { ...process.env, PORTAL_DATA_DIR: folder, PORT: '0', HOST: '127.0.0.1', LOG_LEVEL: 'info' }
  const child = spawn(process.execPath, [join(source, 'main.ts')], { env })
  onTestFinished(() => void child.kill('SIGTERM'))
  let output = ''
  child.stdout.on('data', (chunk) => (output += chunk))
  const address = () => /Server listening at (http:\/\/[^"]+)/.exec(output)?.[1]
  await expect.poll(address, { timeout: 15_000 }).toBeTruthy()
  const status = await (await fetch(`${address()}/registry/status`)).json()
  expect(status).toMatchObject({ generation: 1, modules: [{ name: 'mfe-users' }] })
  const unsigned = await fetch(`${address()}/registry/modules/mfe-users/disable`, {
    method: 'POST',
    body: '{}',
  })
  expect(unsigned.status).toBe(401)
  const ended = new Promise((resolve) => child.once('exit', resolve))
  child.kill('SIGTERM')
  await ended
})

test('an operator gives a key another module, withdraws one, and rotates the key; what it signed stays live', async () => {
  const { registry, person } = await startRegistry()
  const [awa, moussa] = [await person('Awa'), await person('Moussa')]
  await awa.publish(build())
  expect((await moussa.change('mfe-health', 'promote', { version: '1.0.0' })).status).toBe(200)
  const run = (name: string, id: string, given: { modules?: string; to?: string; public?: string } = {}) =>
    (keyCommands[name] as (typeof keyCommands)[string])(registry, [id], given).catch(
      (fault: Error) => fault.message,
    )
  const clinics = build('1.0.0', {
    ...{ name: 'mfe-clinics', routes: ['/admin/clinics'], preloads: { '/admin/clinics': ['page.js'] } },
    ...{ permission: 'users.view', permissions: [] },
  })
  const asked = await awa.publishOnly(clinics)
  expect(asked.body.message).toMatch(/add the module to it \(npm run registry -- key:grant\)/)

  expect(await run('key:grant', 'awa', { modules: 'Clinics' })).toMatch(/Clinics is no module/)
  expect(await run('key:grant', 'awa', { modules: 'mfe-clinics' })).toMatch(
    /awa of Awa is for mfe-clinics, mfe-health now, with the same rights/,
  )
  expect((await awa.publishOnly(clinics)).body).toMatchObject({ version: '1.0.0' })

  expect(await run('key:withdraw', 'awa', { modules: 'mfe-wells' })).toMatch(/not for mfe-wells/)
  expect(await run('key:withdraw', 'awa', { modules: 'mfe-health' })).toMatch(/stays good/)
  expect((await awa.publishOnly(build('1.1.0'))).status).toBe(403)
  const live = async () => (await registry.verified()).modules.find(({ name }) => name === 'mfe-health')
  expect(await live()).toMatchObject({ version: '1.0.0', withheld: null })

  const { kty, crv, x } = makeKey()
  const half = JSON.stringify({ kty, crv, x })
  expect(await run('key:rotate', 'awa')).toMatch(/needs an id, --to with the new id/)
  expect(await run('key:rotate', 'awa', { to: 'awa-2', public: half })).toMatch(
    /awa-2 of Awa may publish.* mfe-clinics\. awa signs nothing new/,
  )
  expect((await awa.publishOnly(clinics)).status).toBe(401)
  expect(await registry.keys.read('awa-2')).toMatchObject({ person: 'Awa', modules: ['mfe-clinics'] })
  expect(await run('key:rotate', 'awa', { to: 'awa-3', public: half })).toMatch(/was taken back/)
  const lines = (await registry.log.read()).filter(({ what }) => what.startsWith('key:'))
  expect(lines.map(({ by, what, message }) => [by, what, message])).toEqual([
    ['operator', 'key:rotate', 'awa of Awa is replaced by awa-2'],
    ['operator', 'key:withdraw', 'awa of Awa no longer for mfe-health'],
    ['operator', 'key:grant', 'awa of Awa for mfe-clinics too'],
  ])
})
