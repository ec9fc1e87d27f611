import * as v from 'valibot'
import type { Store } from './store.ts'

/** The folder with the files of an upload before its commit. */
export const staging = (name: string, build: string): string => `uploads/${name}/${build}`
/** The key of the announcement. */
export const uploadKey = (name: string, build: string): string => `${staging(name, build)}/upload.json`

/** Lifetime of an upload. After that the publisher must announce the build again. */
const keptMs = 24 * 60 * 60 * 1000

const Begun = v.object({ at: v.pipe(v.string(), v.isoTimestamp()) })

/** Removes uploads that were not committed within a day; with `all`, every upload. Returns how many. */
export async function tidyUploads(store: Store, { all = false } = {}): Promise<number> {
  const begun = new Set((await store.list('uploads')).map((key) => key.split('/').slice(0, 3).join('/')))
  let removed = 0
  for (const folder of begun) {
    if (!all && (await isFresh(store, folder))) continue
    await store.remove(folder)
    removed += 1
  }
  return removed
}

/** Files are sent after the announcement. So a folder without an announcement is left over. */
async function isFresh(store: Store, folder: string): Promise<boolean> {
  const data = await store.read(`${folder}/upload.json`)
  if (!data) return false
  const found = v.safeParse(Begun, parsed(data.toString()))
  return found.success && Date.now() - Date.parse(found.output.at) < keptMs
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return null
  }
}
