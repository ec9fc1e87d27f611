import { timingSafeEqual } from 'node:crypto'
import { sql } from 'kysely'
import { sealedEnd } from '../audit/audit-chain.ts'
import { type Db, rows } from '../database/db.ts'
import type { Context } from '../process/context.ts'
import { SettingsFault } from '../process/settings.ts'
import type { Key, KeyRing } from './keys.ts'
import { hmac } from './seal.ts'

type Known = { id: string; verifier: Buffer; retired_at: string | null }

/** What the database keeps of a secret to recognise it. */
export const verifierOf = (key: Key) => hmac(key.derive('verifier'), 'portal')

/**
 * Refuses a secret that the database does not know, or that was replaced. The first start on a database writes the key of its
 * secret there; if its audit log is older, the secret must be the one that sealed it.
 */
export async function checkSecrets({ db, settings }: Pick<Context, 'db' | 'settings'>): Promise<void> {
  const { secret } = settings
  await adoptFirstKey(db, secret)
  const known = await readKnown(db)
  for (const key of secret.all.values()) expectKnown(known, key)
  if (known.some(({ id, retired_at }) => id === secret.current.id && retired_at !== null))
    throw new SettingsFault(
      `PORTAL_SECRET (key ${secret.current.id}) has been replaced: set the secret that replaced it (key ${present(known)}).`,
    )
}

/** Writes the key of the oldest secret into a database that has none. */
export async function adoptFirstKey(db: Db, { oldest, ...keys }: KeyRing): Promise<void> {
  if ((await readKnown(db)).length > 0) return
  if ((await sealedEnd(db, { oldest, ...keys })) === 'foreign')
    throw unknown(oldest, 'the one that sealed its audit log')
  await sql`select add_first_secret_key(${oldest.id}, ${verifierOf(oldest)})`.execute(db)
}

/** Refuses one secret that the database does not know. */
export const checkKey = async (db: Db, key: Key): Promise<void> => expectKnown(await readKnown(db), key)

function expectKnown(known: Known[], key: Key) {
  const row = known.find(({ id }) => id === key.id)
  if (!row || !timingSafeEqual(row.verifier, verifierOf(key))) throw unknown(key, present(known))
}

const present = (known: Known[]) =>
  known
    .filter(({ retired_at }) => retired_at === null)
    .map(({ id }) => id)
    .join(' or ')

const readKnown = (db: Db) =>
  rows(db, sql<Known>`select id, verifier, retired_at from secret_keys order by n`)

const unknown = (key: Key, own: string) =>
  new SettingsFault(
    `The database does not know the secret with the key ${key.id}; its own is ${own}. Set this installation's PORTAL_SECRET, the same on all machines; to change it, follow docs/secrets.md.`,
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
