import { mkdtemp, open, readdir, readlink, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join, relative } from 'node:path'
import { diskStore } from '@portal/registry/store'
import * as v from 'valibot'
import { beforeEach, expect, onTestFinished, test, vi } from 'vitest'
import { signedFile } from '../../src/kit/files/signed-file.ts'
import { diskOutbox } from '../../src/kit/jobs/outbox.ts'
import { keyRing } from '../../src/kit/secrets/keys.ts'

let dataDir = ''
/** What was synced, each folder with the names that are certain by then. */
let synced: string[] = []

beforeEach(async () => {
  dataDir = await mkdtemp(join(tmpdir(), 'durable-'))
  onTestFinished(() => rm(dataDir, { recursive: true }))
  synced = []
  const handle = await open(dataDir)
  await handle.close()
  const sync = vi.spyOn(Object.getPrototypeOf(handle), 'sync')
  onTestFinished(() => sync.mockRestore())
  sync.mockImplementation(async function (this: typeof handle) {
    const path = await readlink(`/proc/self/fd/${this.fd}`)
    const names = await readdir(path).catch(() => 'content')
    synced.push(`${relative(dataDir, path)}: ${names}`)
  })
})

test.runIf(process.platform === 'linux')(
  'a mark that a worker has signed survives a power failure, because its name is on the disk too',
  async () => {
    const mark = signedFile('mark.json', 'mark', v.object({ number: v.number() }))
    await mark.write(
      { dataDir, secret: keyRing({ current: 'a secret of this portal, 32 characters' }) },
      { number: 1 },
    )
    expect(synced).toEqual([`mark.json.${process.pid}: content`, ': mark.json'])
  },
)

test.runIf(process.platform === 'linux')(
  'a letter without a mail server survives a power failure, and so does the folder that was made for it',
  async () => {
    const outbox = diskOutbox(join(dataDir, 'outbox'))
    await outbox.write('1.eml', 'Hello')
    expect(synced).toEqual(['outbox/.1.eml: content', 'outbox: 1.eml', ': outbox'])
    synced = []
    await outbox.write('2.eml', 'Hello')
    expect(synced).toEqual(['outbox/.2.eml: content', 'outbox: 1.eml,2.eml'])
  },
)

test.runIf(process.platform === 'linux')(
  'a module that an administrator has switched off is still off after a power failure, and so is the next one',
  async () => {
    const store = diskStore(join(dataDir, 'registry'))
    const names = () => synced.filter((each) => !each.endsWith(': content'))
    await store.create('generations/1.json', '{}')
    expect(names()).toEqual(['registry/generations: 1.json', 'registry: .tmp,generations'])
    synced = []
    await store.replace('generations/current', '1')
    expect(names()).toEqual(['registry/generations: 1.json,current'])
  },
)
