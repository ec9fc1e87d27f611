import type { Bucket } from '@portal/registry/bucket'
import { caseStage, file, pdf } from '../cases/case-stage.ts'
import { Client } from '../client.ts'
import { cloneDatabase } from '../database.ts'
import { type Portal, startPortal } from '../portal.ts'
import { addPlaces, addSchools } from '../registers/registers.ts'

type Held = { objects: { bucket: string; key: string; size: number }[]; uploads: string[] }

/** A store with an empty bucket for files, which a test looks into by another way than the portal's. */
export type FilesStore = {
  bucket: Bucket
  /** The smallest part that it takes. */
  partBytes: number
  held(): Promise<Held>
  /** Deletes an object behind the portal's back. */
  lose(key: string): Promise<unknown>
  /** Lets the store have no space left, or space again. */
  full(isFull: boolean): Promise<unknown>
}

export type FilesStage = Awaited<ReturnType<typeof filesStage>>

/** Two apis with different disks, a worker on the second one's disk, and people who file a case and ask for lists. */
export async function filesStage(store: FilesStore) {
  const filesBucket = { ...store.bucket, partBytes: store.partBytes }
  const database = await cloneDatabase()
  const a = await startPortal({ filesBucket }, database)
  const b = await startPortal({ filesBucket }, { ...database, drop: async () => {} })
  const rows = async (query: string, values: unknown[] = []) => (await a.owner.query(query, values)).rows
  const { filer, form, fileCase } = await caseStage(a)
  await addPlaces(a)
  await addSchools(a)
  // Several parts, if the store takes small ones. A document has at most 2 MB.
  const size = Math.min(store.partBytes * 2.5, 1_900_000)
  const letter = Buffer.concat([pdf.subarray(0, 9), Buffer.alloc(size, '% \n'), pdf.subarray(9)])
  return {
    store,
    filesBucket,
    a,
    b,
    filer,
    form,
    fileCase,
    letter,
    rows,
    officer: await a.signedInAs('School Officer'),
    worker: { stop: await b.worker(), start: () => b.worker() },
    /** One more portal on the same database and store, with a disk of its own. */
    another: (changes: Parameters<typeof startPortal>[0] = {}) =>
      startPortal({ filesBucket, ...changes }, { ...database, drop: async () => {} }),
    /** The same store for commands. */
    inBucket: {
      PORTAL_STORAGE: 's3',
      S3_ENDPOINT: store.bucket.endpoint,
      S3_KEY: store.bucket.key,
      S3_SECRET: store.bucket.secret,
      S3_FILES_BUCKET: store.bucket.bucket,
    },
    /** The same person, when the balancer sends her to another api. */
    at(portal: Portal, person: Client) {
      const client = new Client(portal.http, portal.settings.apiBase)
      for (const [name, value] of person.cookies) client.cookies.set(name, value)
      return client
    },
    /** What the store has besides letters, which leave when a worker comes to them. */
    async held() {
      const { objects, uploads } = await store.held()
      return { objects: objects.filter(({ key }) => !key.startsWith('outbox/')), uploads }
    },
    withLetter: (name = 'letter.pdf') => ({ ...form, file: file(name, letter) }),
    async documentOf(caseId: number) {
      const found = await rows(
        'select d.id, f.key from case_documents d join files f on f.id = d.file_id where d.case_id = $1',
        [caseId],
      )
      return found[0]
    },
  }
}

export const placeOf = (key: string) => `${key.slice(0, 2)}/${key}`

/** What a person reads while the store does not answer. */
export const away = (says: string) => ({
  status: 503,
  headers: { 'retry-after': '5' },
  body: {
    code: 'store_away',
    message: `The store of the portal’s files does not answer at the moment. ${says}`,
  },
})

/** What a person reads of a file that is missing or damaged. */
export const lost = {
  status: 500,
  body: {
    code: 'file_lost',
    message:
      'The content of this file is missing or damaged where the portal keeps its files. Tell an administrator.',
  },
}
