import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, onTestFinished, test } from 'vitest'
import type { Store } from '../src/store.ts'

/** More than a store lists at once. */
const many = 1_050

/** What each store of a registry has to do: a folder, a simulated bucket, and a real one. `open` may open the same one again. */
export function storeContract(open: () => Promise<Store>) {
  test('creates a key once, also with concurrent calls', async () => {
    const store = await open()
    const texts = ['a', 'b', 'c', 'd']
    for (let generation = 1; generation <= 10; generation++) {
      const key = `generations/${generation}.json`
      const made = await Promise.all(texts.map((text) => store.create(key, text)))
      expect(made.filter(Boolean)).toHaveLength(1)
      expect(String(await store.read(key))).toBe(texts[made.indexOf(true)])
      expect(await store.create(key, 'later')).toBe(false)
    }
  })

  test('replaces, copies, lists and removes', async () => {
    const store = await open()
    const keys = ['x/1', 'x/@y+z_1-2.js', 'x/y/2', 'x/y/3', 'x/z+1']
    for (const key of [...keys, 'xx/4']) await store.replace(key, key)
    await store.replace('x/1', 'changed')
    expect(String(await store.read('x/1'))).toBe('changed')
    await store.copy('x/1', 'z/copy')
    expect(String(await store.read('z/copy'))).toBe('changed')
    expect(await store.list('x')).toEqual(keys)
    await store.copy('x/@y+z_1-2.js', 'z/odd+copy')
    expect(String(await store.read('z/odd+copy'))).toBe('x/@y+z_1-2.js')
    await store.remove('x/y')
    expect(await store.list('x')).toEqual(keys.filter((key) => !key.startsWith('x/y/')))
    await store.remove('x/1')
    expect(await store.read('x/1')).toBeNull()
    expect(await store.exists('x/1')).toBe(false)
    expect(await store.list('nothing')).toEqual([])
  })

  test('lists more than a page, each key once', async () => {
    const store = await open()
    const keys = Array.from({ length: many }, (_, n) => `log/${String(n).padStart(5, '0')}+a.json`)
    for (let at = 0; at < many; at += 50)
      await Promise.all(keys.slice(at, at + 50).map((key) => store.replace(key, '{}')))
    expect(await store.list('log')).toEqual(keys)
  })

  test('takes in a file, and has files to send', async () => {
    const store = await open()
    const folder = mkdtempSync(join(tmpdir(), 'store-'))
    onTestFinished(() => rmSync(folder, { recursive: true, force: true }))
    const file = join(folder, 'a.js')
    writeFileSync(file, 'code')
    await store.adopt(file, 'modules/mfe-x/1/a.js')
    const path = await store.file('modules/mfe-x/1/a.js')
    expect(path && readFileSync(path, 'utf8')).toBe('code')
    expect(await store.file('modules/mfe-x/1/gone.js')).toBeNull()
    expect(await store.file('modules/../secret')).toBeNull()
  })
}
