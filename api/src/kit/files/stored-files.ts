import { createHash } from 'node:crypto'
import { pipeline } from 'node:stream/promises'
import { sql } from 'kysely'
import type { Db } from '../database/db.ts'
import { isLost } from '../http/refusals.ts'
import type { Context } from '../process/context.ts'

const batch = 1_000

/** The keys among these that a row names, so that their content has to be there. */
async function namedOf(db: Db, keys: readonly string[]): Promise<Set<string>> {
  const { rows } = await sql<{ key: string }>`
    select key from files where key = any(${keys}) and dropped_at is null
    union all select file_key from exports where file_key = any(${keys})`.execute(db)
  return new Set(rows.map(({ key }) => key))
}

/** The keys of files that no row names and that were kept more than so many days ago, and how many files there are. */
export async function findOrphans({ db, storage }: Pick<Context, 'db' | 'storage'>, days: number) {
  const orphans: string[] = []
  let files = 0
  let old: string[] = []
  const compare = async () => {
    const named = await namedOf(db, old)
    orphans.push(...old.filter((key) => !named.has(key)))
    old = []
  }
  for await (const { key, keptAt } of storage.list()) {
    files++
    if (Date.now() - keptAt.getTime() > days * 86_400_000) old.push(key)
    if (old.length === batch) await compare()
  }
  await compare()
  return { orphans, files }
}

/** Compares every stored file with the size and SHA-256 of its row, and sees that every export can be read. */
export async function verifyFiles({ db, storage }: Pick<Context, 'db' | 'storage'>) {
  const faults: string[] = []
  let files = 0
  const read = async (what: string, key: string, sha256?: Buffer) => {
    files++
    const hash = createHash('sha256')
    try {
      await pipeline(await storage.read(key), hash)
      if (sha256 && !hash.digest().equals(sha256)) faults.push(`${what}: its content is not what was stored`)
    } catch (error) {
      if (!isLost(error)) throw error
      faults.push(`${what}: its content is missing or damaged`)
    }
  }
  for (let after = 0; ; ) {
    const some = await db
      .selectFrom('files')
      .select(['id', 'key', 'sha256'])
      .where('dropped_at', 'is', null)
      .where('id', '>', after)
      .orderBy('id')
      .limit(batch)
      .execute()
    for (const { id, key, sha256 } of some) await read(`file ${id}`, key, sha256)
    const last = some.at(-1)
    if (!last) break
    after = last.id
  }
  const exports = await db
    .selectFrom('exports')
    .select(['id', 'file_key'])
    .where('file_key', 'is not', null)
    .where('expires_at', '>', sql<string>`now()`)
    .execute()
  for (const { id, file_key } of exports) if (file_key) await read(`export ${id}`, file_key)
  return { files, faults }
}
