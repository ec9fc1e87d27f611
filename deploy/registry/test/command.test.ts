import { spawn } from 'node:child_process'
import { existsSync, mkdirSync, statSync } from 'node:fs'
import { join, relative } from 'node:path'
import { expect, onTestFinished, test } from 'vitest'
import { dataFolder, distFolder } from '../src/settings.ts'
import { emptyFolder, operator, source } from './operator.ts'
import { startS3 } from './s3-server.ts'
import { buildProduct, startRegistry } from './test-registry.ts'

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
