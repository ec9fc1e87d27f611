import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setFlagsFromString } from 'node:v8'
import { runInNewContext } from 'node:vm'
import { describe, expect, onTestFinished, test } from 'vitest'
import { openRegistry } from '../src/registry.ts'
import { s3Store } from '../src/s3-store.ts'
import { openStore } from '../src/settings.ts'
import { diskStore, type Store } from '../src/store.ts'
import { startS3 } from './s3-server.ts'
import { storeContract } from './store-contract.ts'
import { build, startRegistry } from './test-registry.ts'

setFlagsFromString('--expose-gc')
const collectGarbage = runInNewContext('gc') as () => void

function emptyFolder() {
  const folder = mkdtempSync(join(tmpdir(), 'store-'))
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }))
  return folder
}

async function bucketStore(secret = 'key', answerMs = 10_000) {
  const server = await startS3()
  const cache = emptyFolder()
  const store = s3Store({
    ...server,
    region: 'eu-west-1',
    key: secret,
    secret: 'hidden',
    cache,
    answerMs,
  })
  return { server, store }
}

const stores: [string, () => Promise<Store>][] = [
  ['a folder', async () => diskStore(emptyFolder())],
  ['a bucket', async () => (await bucketStore()).store],
]

describe.each(stores)('%s', (_what, open) => storeContract(open))

describe('a registry in a bucket', () => {
  test('that is full answers 507, and keeps nothing', async () => {
    const { server, store } = await bucketStore()
    const { person, registry } = await startRegistry(() => store)
    const awa = await person('Awa')
    await awa.announce(build())
    server.state.full = true
    expect(await awa.send(build())).toMatchObject({ status: 507 })
    server.state.full = false
    expect(await registry.builds.list('mfe-health')).toEqual([])
  })

  test('that keeps a change and says that it is overloaded does not have a person told that somebody else was faster', async () => {
    const { server, store } = await bucketStore()
    const { person } = await startRegistry(() => store)
    const [awa, moussa] = [await person('Awa'), await person('Moussa')]
    await awa.publish(build())
    server.state.overloaded = 'generations/00000002.json'
    expect(await moussa.change('mfe-health', 'promote', { version: '1.0.0' })).toMatchObject({
      status: 200,
      body: { generation: 2 },
    })
    expect(server.state.overloaded).toBe('')
    // Another one who comes later is still told.
    expect(await store.create('generations/00000002.json', '{}')).toBe(false)
  })

  test('whose signature is not accepted is a fault, never an empty registry', async () => {
    const { store } = await bucketStore('somebody')
    await expect(openRegistry({ store }).now()).rejects.toThrow(/answered 403/)
  })

  test('that is silent fails each call in time, and works again when it answers', async () => {
    const { server, store } = await bucketStore('key', 2_000)
    await store.replace('current.json', 'before')
    server.state.silent = true
    // Node drops the signal of a request with the request, if nothing else has it.
    const collecting = setInterval(collectGarbage, 100)
    onTestFinished(() => clearInterval(collecting))
    const began = performance.now()
    for (const call of [
      () => store.read('current.json'),
      () => store.exists('current.json'),
      () => store.list('generations'),
      () => store.create('generations/1.json', '{}'),
      () => store.remove('current.json'),
    ])
      await expect(call()).rejects.toThrow(/did not answer within/)
    expect(performance.now() - began).toBeLessThan(30_000)
    server.state.silent = false
    expect(String(await store.read('current.json'))).toBe('before')
  }, 60_000)

  test('needs all of its settings', () => {
    expect(() => openStore({ S3_BUCKET: 'portal' })).toThrow(/S3_ENDPOINT, S3_KEY and S3_SECRET have to be/)
  })
})
