import { mkdtemp, open, readdir, readlink, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { dirname, join, relative } from 'node:path'
import { text } from 'node:stream/consumers'
import { expect, onTestFinished, test, vi } from 'vitest'
import { diskStorage, placeOf } from './storage.ts'

test.runIf(process.platform === 'linux')(
  'a kept file and its new folder survive a power failure, because both are on the disk before its row',
  async () => {
    const dataDir = await mkdtemp(join(tmpdir(), 'kept-'))
    onTestFinished(() => rm(dataDir, { recursive: true }))
    const handle = await open(dataDir)
    await handle.close()
    const synced: string[] = []
    const sync = vi.spyOn(Object.getPrototypeOf(handle), 'sync')
    onTestFinished(() => sync.mockRestore())
    sync.mockImplementation(async function (this: typeof handle) {
      const path = await readlink(`/proc/self/fd/${this.fd}`)
      // A synced folder guarantees only the names that it has at that moment.
      const names = path.includes('/temp/') ? [] : await readdir(path)
      synced.push(`${relative(dataDir, path).replace(/temp.*/, 'temp')}: ${names}`)
    })
    const storage = diskStorage(dataDir)
    const keep = async () => {
      synced.length = 0
      const temp = await storage.temp()
      await writeFile(temp, 'a letter')
      return placeOf(await storage.keep(temp))
    }
    const place = await keep()
    const [folder, key] = place.split('/')
    expect(synced).toEqual([
      'files/temp: ',
      `files/kept/${folder}: ${key}`,
      `files/kept: ${folder}`,
      'files: kept,temp',
      ': files',
    ])
    // One that this process has seen on the disk is synced alone.
    for (;;) {
      const next = await keep()
      if (dirname(next) !== folder) continue
      expect(synced.map((line) => line.replace(/:.*/, ''))).toEqual(['files/temp', `files/kept/${folder}`])
      return
    }
  },
)

test('a kept file is there on a disk that syncs no folders', async () => {
  const dataDir = await mkdtemp(join(tmpdir(), 'kept-'))
  onTestFinished(() => rm(dataDir, { recursive: true }))
  const handle = await open(dataDir)
  await handle.close()
  const sync = vi.spyOn(Object.getPrototypeOf(handle), 'sync')
  onTestFinished(() => sync.mockRestore())
  sync.mockImplementation(async function (this: typeof handle) {
    if ((await this.stat()).isDirectory()) throw Object.assign(new Error(), { code: 'EINVAL' })
  })
  const storage = diskStorage(dataDir)
  const temp = await storage.temp()
  await writeFile(temp, 'a letter')
  expect(await text(await storage.read(await storage.keep(temp)))).toBe('a letter')
})
