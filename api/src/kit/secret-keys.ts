import { timingSafeEqual } from 'node:crypto'
import { sql } from 'kysely'
import { sealedEnd } from './audit-chain.ts'
import type { Context } from './context.ts'
import { type Db, rows } from './db.ts'
import type { Key } from './keys.ts'
import { hmac } from './seal.ts'
import { SettingsFault } from './settings.ts'

type Known = { id: string; n: number; verifier: Buffer; retired_at: string | null }

/** What the database keeps of a secret to recognise it. */
export const verifierOf = (key: Key) => hmac(key.derive('verifier'), 'portal')

/**
 * Refuses a secret that the database does not know, or that was replaced. The first start on a database writes the key of its
 * secret there; if its audit log is older, the secret must be the one that sealed it.
 */
export async function checkSecrets({ db, settings }: Pick<Context, 'db' | 'settings'>): Promise<void> {
  const { secret } = settings
  const known = await readKnown(db)
  if (known.length === 0) {
    if ((await sealedEnd(db, secret)) === 'foreign')
      throw unknown(secret.oldest, 'the one that sealed its audit log')
    await sql`select add_first_secret_key(${secret.oldest.id}, ${verifierOf(secret.oldest)})`.execute(db)
    known.push(...(await readKnown(db)))
  }
  const present = known.filter((row) => row.retired_at === null).map((row) => row.id)
  for (const key of secret.all.values()) {
    const row = known.find(({ id }) => id === key.id)
    if (!row || !timingSafeEqual(row.verifier, verifierOf(key))) throw unknown(key, present.join(' or '))
    if (row.retired_at !== null && key === secret.current)
      throw new SettingsFault(
        `PORTAL_SECRET (key ${key.id}) has been replaced: set the secret that replaced it (key ${present.join(' or ')}).`,
      )
  }
}

const readKnown = (db: Db) =>
  rows(db, sql<Known>`select id, n, verifier, retired_at from secret_keys order by n`)

const unknown = (key: Key, present: string) =>
  new SettingsFault(
    `The database does not know the secret with the key ${key.id}; its own is ${present}. Set this installation's PORTAL_SECRET, the same on all machines; to change it, follow docs/secrets.md.`,
  )

/**
 * The same check at the start of the api. If the database cannot be reached yet, the api starts and its health check answers
 * 503; the database itself refuses audit rows that are sealed with another secret.
 */
export async function refuseOtherSecrets(context: Pick<Context, 'db' | 'settings'>): Promise<void> {
  try {
    await checkSecrets(context)
  } catch (error) {
    if (error instanceof SettingsFault) throw error
  }
}
