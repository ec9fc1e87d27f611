import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { openRegistry } from '@portal/registry'
import { prunePageFiles } from '@portal/registry/page-files'
import { publishRelease } from '@portal/registry/release'
import { makeKey } from '@portal/registry/release-key'
import { s3Store } from '@portal/registry/s3-store'
import fastify from 'fastify'
import { describe, expect, onTestFinished, test } from 'vitest'
import { startS3 } from '../../registry/test/s3-server.ts'
import { build, buildProduct, startRegistry } from '../../registry/test/test-registry.ts'
import { gateway } from '../src/gateway.ts'

function emptyFolder() {
  const folder = mkdtempSync(join(tmpdir(), 'bucket-'))
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }))
  return folder
}

test('a portal elsewhere serves what was published into a bucket, and fetches each file once', async () => {
  const server = await startS3()
  const storeHere = () =>
    s3Store({ ...server, region: 'eu-west-1', key: 'key', secret: 'hidden', cache: emptyFolder() })
  const { person } = await startRegistry(storeHere)
  const [awa, moussa] = [await person('Awa'), await person('Moussa')]
  const built = build('1.0.0', {}, { 'page.js': `/* ${'page '.repeat(200)} */` })
  expect((await awa.publish(built)).status).toBe(201)
  expect((await moussa.change('mfe-health', 'promote', { version: '1.0.0' })).status).toBe(200)

  const portal = fastify()
  onTestFinished(() => portal.close())
  await gateway(portal, {
    distDir: emptyFolder(),
    apiBase: '/api',
    publicUrl: 'http://localhost',
    frameSrc: null,
    registry: openRegistry({ store: storeHere() }),
  })
  const { modules } = (await portal.inject('/modules.json')).json()
  expect(modules).toMatchObject([
    { name: 'mfe-health', withheld: null },
    { name: 'mfe-users', withheld: null },
  ])
  const url = `${built.details.base}page.js`
  const answer = await portal.inject({ url, headers: { 'accept-encoding': 'br' } })
  expect(answer.headers['content-encoding']).toBe('br')
  const before = server.calls.filter((call) => call.includes('page.js')).length
  expect((await portal.inject(url)).body).toBe(built.files['page.js'])
  expect(server.calls.filter((call) => call.includes('page.js'))).toHaveLength(before)
  await moussa.change('mfe-health', 'disable')
  const disabled = async () => (await portal.inject('/modules.json')).json().modules[0].disabled
  await expect.poll(disabled, { timeout: 6_000, interval: 250 }).toBe(true)
})

describe('while a release is rolled out over two machines', () => {
  const key = { id: 'release-test', jwk: makeKey() }
  const day = 86_400_000

  /** The output of a build with one hashed file of the shell and one of the consultant's page. */
  function builtShell(shell: string) {
    const dist = buildProduct(shell)
    for (const page of ['shell', 'external']) {
      mkdirSync(join(dist, page, 'assets/static'), { recursive: true })
      writeFileSync(join(dist, page, `assets/static/app.${shell}.js`), `/* ${page} ${shell} */`)
    }
    return dist
  }
  async function machine(server: Awaited<ReturnType<typeof startS3>>, distDir: string) {
    const cache = emptyFolder()
    const store = s3Store({ ...server, region: 'eu-west-1', key: 'key', secret: 'hidden', cache })
    const registry = openRegistry({ store })
    const app = fastify()
    onTestFinished(() => app.close())
    await gateway(app, {
      distDir,
      apiBase: '/api',
      publicUrl: 'http://localhost',
      frameSrc: null,
      registry,
    })
    return { app, store, cache, release: () => publishRelease(registry, distDir, key) }
  }
  const [former, next] = ['aaaaaaaaaaaa', 'bbbbbbbbbbbb']
  const file = (page: string, shell: string) =>
    `${page === 'external' ? '/external' : ''}/assets/static/app.${shell}.js`

  test('a person with a page of either release gets its files from both machines', async () => {
    const server = await startS3()
    const a = await machine(server, builtShell(former))
    await a.release()
    const b = await machine(server, builtShell(next))
    await b.release()
    for (const { app } of [a, b])
      for (const shell of [former, next])
        for (const page of ['shell', 'external']) {
          const answer = await app.inject(file(page, shell))
          expect([answer.statusCode, answer.body]).toEqual([200, `/* ${page} ${shell} */`])
          expect(answer.headers['cache-control']).toContain('immutable')
        }
    const calls = server.calls.length
    expect((await a.app.inject('/assets/static/app.cccccccccccc.js')).statusCode).toBe(404)
    expect((await a.app.inject('/assets/static/app.dddddddddddd.js')).statusCode).toBe(404)
    // A name that no release has costs at most one look at the releases, and not a call of its own.
    expect(server.calls.slice(calls).filter((call) => call.includes('app.'))).toEqual([])
  })

  test('a file that was damaged in the store is not sent', async () => {
    const server = await startS3()
    const a = await machine(server, builtShell(former))
    await a.release()
    server.objects.set(`assets/shell/static/app.${former}.js`, Buffer.from('steal()'))
    const b = await machine(server, builtShell(next))
    expect((await b.app.inject(file('shell', former))).statusCode).toBe(404)
    expect((await b.app.inject(file('external', former))).statusCode).toBe(200)
  })

  test('files stay for 30 days after the next release, however long theirs was live', async () => {
    const server = await startS3()
    const a = await machine(server, builtShell(former))
    await a.release()
    await prunePageFiles(a.store, former, Date.now() + 90 * day)
    const b = await machine(server, builtShell(next))
    await b.release()
    const stored = () => [...server.objects.keys()].filter((name) => name.startsWith('assets/shell'))
    await prunePageFiles(b.store, next, Date.now() + 29 * day)
    expect(stored()).toHaveLength(2)
    await prunePageFiles(b.store, next, Date.now() + 31 * day)
    expect(stored()).toEqual([`assets/shell/static/app.${next}.js`])
    // After a rollback its files are stored again.
    await a.release()
    expect(stored()).toHaveLength(2)
    expect(
      readFileSync(String(await a.store.file(`assets/shell/static/app.${former}.js`)), 'utf8'),
    ).toContain(former)
  })

  test('whoever has a release open keeps its files, although a machine of before started while it came', async () => {
    const server = await startS3()
    const a = await machine(server, builtShell(former))
    await a.release()
    const { store } = await machine(server, builtShell(next))
    const create = async (made: string, data: string | Buffer) => {
      // The files of the next release are there, and its generation is not yet, when a starts again.
      if (made.startsWith('generations/')) await a.release()
      return store.create(made, data)
    }
    await publishRelease(openRegistry({ store: { ...store, create } }), builtShell(next), key)
    // Sixty days later the release after it takes its place.
    await prunePageFiles(store, 'c'.repeat(12), Date.now() + 60 * day)
    const names = [...server.objects.keys()].filter((name) => name.startsWith('assets/shell'))
    expect(names).toContain(`assets/shell/static/app.${next}.js`)
  })
})
