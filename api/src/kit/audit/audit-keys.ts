import { sql } from 'kysely'
import { type Db, rows } from '../database/db.ts'
import type { Key, KeyRing } from '../secrets/keys.ts'
import { open } from '../secrets/seal.ts'

/** The keys that verify the audit log, with those of former secrets, and the last row that each former one may have sealed. */
export type AuditKeys = KeyRing & { ends: ReadonlyMap<string, number> }

/**
 * Adds the keys of former secrets to those of the process. The database keeps them sealed with the present secret, so that
 * rows of before verify without the former ones.
 */
export async function readAuditKeys(db: Db, secret: KeyRing): Promise<AuditKeys> {
  const kept = await rows(
    db,
    sql<{ id: string; n: number; audit_key: Buffer | null; last_audit_id: number | null }>`
      select id, n, audit_key, last_audit_id from secret_keys order by n`,
  )
  const all = new Map(secret.all)
  const ends = new Map<string, number>()
  for (const { id, audit_key, last_audit_id } of kept) {
    if (audit_key && !all.has(id)) all.set(id, auditOnly(id, Buffer.from(open(secret, audit_key), 'hex')))
    if (last_audit_id !== null) ends.set(id, Number(last_audit_id))
  }
  const oldest = all.get(kept[0]?.id ?? '') ?? secret.oldest
  return { ...secret, all, oldest, ends }
}

/** A key of a former secret, of which nothing but the key of the audit log was kept. */
function auditOnly(id: string, key: Buffer): Key {
  const derive = (purpose: string) => {
    if (purpose === 'audit') return key
    throw new Error(`Of the former secret with the key ${id} only the key of the audit log was kept`)
  }
  return { id, derive }
}
