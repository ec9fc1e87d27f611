import { sql } from 'kysely'
import { auditPurpose } from '../kit/audit/audit.ts'
import { type Db, transaction } from '../kit/database/db.ts'
import type { Key, KeyRing } from '../kit/secrets/keys.ts'
import { open, seal, sealPrefix } from '../kit/secrets/seal.ts'
import { verifierOf } from '../kit/secrets/secret-keys.ts'
import { type SealedPlace, sealedPlaces } from './sealed-places.ts'

const batchSize = 200

/** Adds the key of a new secret to those that the database knows. Returns false if it is there. */
export async function addKey(db: Db, key: Key): Promise<boolean> {
  const added = await sql`
    insert into secret_keys (id, n, verifier) select ${key.id}, max(n) + 1, ${verifierOf(key)} from secret_keys
    where not exists (select from secret_keys where id = ${key.id}) having max(n) is not null returning id`.execute(
    db,
  )
  return added.rows.length > 0
}

/** Keeps what verifies the audit rows of the former secret, sealed with the current one. */
export async function keepAuditKey(db: Db, keys: KeyRing, former: Key): Promise<void> {
  const kept = seal(keys, former.derive(auditPurpose).toString('hex'))
  await sql`update secret_keys set audit_key = ${kept} where id = ${former.id} and audit_key is null`.execute(
    db,
  )
}

/** How many values were sealed again, and which could not be opened. */
export type Resealed = { what: string; count: number; faults: string[] }

/** Seals again what another secret sealed, place by place. It may be ended at any moment and begun again. */
export async function resealAll(db: Db, keys: KeyRing): Promise<Resealed[]> {
  const done: Resealed[] = []
  for (const place of sealedPlaces) done.push(await resealPlace(db, keys, place))
  return done
}

type Sealed = { id: string; sealed: Buffer }

/** The batches follow the rows' names, so that a value that cannot be opened does not stop those after it. */
async function resealPlace(db: Db, keys: KeyRing, place: SealedPlace): Promise<Resealed> {
  const { what, table, id, sealed, where = 'true' } = place
  const faults: string[] = []
  const done = { what, count: 0, faults }
  for (let after = ''; ; ) {
    const { rows } = await db.pool.query<Sealed>(
      `select ${id} as id, ${sealed} as sealed from ${table} t
       where ${where} and ${sealed} is not null and substring(${sealed} from 1 for 9) <> $1 and (${id}) collate "C" > $2
       order by (${id}) collate "C" limit ${batchSize}`,
      [sealPrefix(keys.current), after],
    )
    if (rows.length === 0) return done
    after = rows.at(-1)?.id ?? ''
    const fresh = rows.flatMap((row) => {
      try {
        return [{ ...row, fresh: seal(keys, open(keys, row.sealed)) }]
      } catch (error) {
        faults.push(`${table} ${row.id}: ${(error as Error).message}`)
        return []
      }
    })
    done.count += await replace(db, place, fresh)
  }
}

/** Writes a batch in one transaction. What somebody has changed since it was read is left alone: it is sealed anew already. */
function replace(db: Db, { table, id, sealed, set }: SealedPlace, batch: (Sealed & { fresh: Buffer })[]) {
  return transaction(db, async (tx) => {
    await sql`select set_config('portal.maintenance', 'on', true)`.execute(tx)
    const pick = (name: 'sealed' | 'fresh') => batch.map((row) => row[name])
    const written = await sql`
      update ${sql.raw(table)} t set ${sql.raw(set)}
      from unnest(${batch.map((row) => row.id)}::text[], ${pick('sealed')}::bytea[], ${pick('fresh')}::bytea[]) v(id, old, fresh)
      where ${sql.raw(id)} = v.id and ${sql.raw(sealed)} = v.old`.execute(tx)
    return Number(written.numAffectedRows ?? 0)
  })
}

/** How many values of a place a key has sealed. `key` is null for those of earlier releases, which carry no id. */
export type Counted = { what: string; key: string | null; count: number }

/** Counts all sealed values by place and key. */
export async function countSealed(db: Db): Promise<Counted[]> {
  const counts: Counted[] = []
  for (const { what, table, sealed, where = 'true' } of sealedPlaces) {
    const { rows } = await db.pool.query<Omit<Counted, 'what'>>(
      `select case when substring(${sealed} from 1 for 5) = 'seal:' then encode(substring(${sealed} from 6 for 4), 'hex') end as key,
         count(*)::int as count
       from ${table} t where ${where} and ${sealed} is not null group by 1 order by 1`,
    )
    counts.push(...rows.map((row) => ({ what, ...row })))
  }
  return counts
}

/**
 * Retires a key that has nothing sealed any more. No audit row may be sealed with it from then on; the lock waits for those that
 * are being written.
 */
export async function retireKey(db: Db, key: Key): Promise<void> {
  await transaction(db, async (tx) => {
    await sql`lock table audits in share mode`.execute(tx)
    await sql`
      update secret_keys set retired_at = now(), last_audit_id = (select coalesce(max(id), 0) from audits)
      where id = ${key.id} and retired_at is null`.execute(tx)
  })
}
