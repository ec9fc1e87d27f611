import { readFileSync } from 'node:fs'
import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import * as v from 'valibot'
import { filesBelow } from './folders.ts'
import { integrityOf } from './signing.ts'
import type { Store } from './store.ts'
import { readStored } from './stored-json.ts'

/** The pages that are no modules. Each has its hashed files in `assets/` of its own folder of the build. */
const pages = ['shell', 'external'] as const
type Page = (typeof pages)[number]

/** How long the files of a release are served after the next one: as long as a tab may ask for them. */
const keptMs = 30 * 86_400_000
/** How often the store is asked for new releases at most, when a file is not known. */
const askedEveryMs = 2_000

/** The files of one release, by key, with their hashes. */
const ReleaseFiles = v.object({
  shell: v.string(),
  /** When another release took its place; null while it is live. */
  until: v.nullable(v.string()),
  files: v.record(v.string(), v.string()),
})
type ReleaseFiles = v.InferOutput<typeof ReleaseFiles>

const folder = 'shells/files'
const recordOf = (shell: string) => `${folder}/${shell}.json`

/** The records of all releases, and whether none of them is damaged. */
async function readRecords(store: Store): Promise<{ records: ReleaseFiles[]; areAll: boolean }> {
  const keys = await store.list(folder)
  const found = await Promise.all(keys.map((key) => readStored(store, key, ReleaseFiles)))
  const records = found.filter((record) => record !== null)
  return { records, areAll: records.length === keys.length }
}

/** Stores the hashed files of the shell and of the consultant's page, so that machines with other builds serve them too. */
export async function storePageFiles(store: Store, distDir: string, shell: string): Promise<void> {
  const stored = new Set(await store.list('assets'))
  const files: Record<string, string> = {}
  for (const page of pages) {
    const from = join(distDir, page, 'assets')
    for (const path of filesBelow(from)) {
      const key = `assets/${page}/${path}`
      files[key] = integrityOf(readFileSync(join(from, path)), 'sha256')
      if (!stored.has(key)) await store.adopt(join(from, path), key)
    }
  }
  const record: ReleaseFiles = { shell, until: null, files }
  await store.replace(recordOf(shell), JSON.stringify(record))
}

/**
 * Notes when releases ended, and removes the files of those that ended 30 days ago and that no later one has. A damaged record may
 * be of a release that has them, so while there is one nothing is removed.
 */
export async function prunePageFiles(store: Store, live: string | null, now = Date.now()): Promise<void> {
  const { records, areAll } = await readRecords(store)
  const isOver = ({ shell, until }: ReleaseFiles) =>
    shell !== live && until !== null && now - Date.parse(until) > keptMs
  const kept = new Set(records.filter((record) => !isOver(record)).flatMap(({ files }) => Object.keys(files)))
  for (const record of records) {
    if (isOver(record)) {
      if (!areAll) continue
      for (const key of Object.keys(record.files)) if (!kept.has(key)) await store.remove(key)
      await store.remove(recordOf(record.shell))
    } else if ((record.shell === live) === (record.until !== null)) {
      // A machine that started after the files of a release came, and before it was live, has noted that it ended.
      const until = record.shell === live ? null : new Date(now).toISOString()
      await store.replace(recordOf(record.shell), JSON.stringify({ ...record, until } satisfies ReleaseFiles))
    }
  }
}

/**
 * Finds a file of any release in the store. It returns the path of a local copy, which was compared with the hash of its
 * release, or null. Names that no release has are not asked of the store one by one.
 */
export function openPageFiles(store: Store, fault: (message: string) => void) {
  let known: Record<string, string> = {}
  let asked = Number.NEGATIVE_INFINITY
  let asking: Promise<void> | undefined
  const sound = new Set<string>()

  async function ask() {
    const { records } = await readRecords(store)
    known = Object.assign({}, ...records.map(({ files }) => files))
  }

  async function isKnown(key: string): Promise<boolean> {
    if (!Object.hasOwn(known, key) && performance.now() - asked > askedEveryMs) {
      asked = performance.now()
      asking = ask().finally(() => {
        asking = undefined
      })
    }
    await asking
    return Object.hasOwn(known, key)
  }

  /** Compares a file and its compressed forms with their hashes, once. */
  async function isSound(key: string, path: string): Promise<boolean> {
    if (sound.has(key)) return true
    for (const ending of ['', '.br', '.gz']) {
      const expected = known[key + ending]
      if (expected && integrityOf(await readFile(path + ending), 'sha256') !== expected) {
        fault(`${key}${ending} in the store is not what its release stored`)
        return false
      }
    }
    sound.add(key)
    return true
  }

  return async (page: Page, path: string): Promise<string | null> => {
    const key = `assets/${page}/${path}`
    if (!(await isKnown(key))) return null
    const file = await store.file(key)
    return file && (await isSound(key, file)) ? file : null
  }
}
