import { sql } from 'kysely'
import * as v from 'valibot'
import { type Db, rows } from '../database/db.ts'
import { signedFile } from '../files/signed-file.ts'
import type { Context } from '../process/context.ts'

/** The last link of the chain when the file was written: its position and hash, its audit row, and the time. */
const End = v.object({ position: v.number(), hash: v.string(), audit_id: v.number(), at: v.string() })
export type AuditEnd = v.InferOutput<typeof End>

/** The end of the audit chain as it is kept outside the database, in `audit-end.json` of the data folder. */
export const auditEnd = signedFile('audit-end.json', 'audit end', End)

/**
 * Writes the end of the chain outside the database. If the chain does not continue from the end that is kept there, the file
 * stays as it is, because it is the proof. Returns what is wrong.
 */
export async function keepAuditEnd({
  db,
  settings,
}: Pick<Context, 'db' | 'settings'>): Promise<string | null> {
  const kept = await auditEnd.read(settings)
  if (kept.kind === 'unreadable') return 'audit-end.json is damaged, or not written by this portal'
  const now = await lastLink(db)
  if (kept.kind === 'read') {
    const { position, hash, at } = kept.value
    const [same] = await rows(
      db,
      sql`select from audit_links where position = ${position} and hash = decode(${hash}, 'hex')`,
    )
    if (!same) return `the chain does not contain link ${position}, which was its end on ${at}`
  }
  if (now && !now.sealed)
    return 'the sealed end of the chain (audit_head) is missing, so no row is linked any more'
  if (now) {
    const { sealed: _, ...end } = now
    await auditEnd.write(settings, end)
  }
  return null
}

async function lastLink(db: Db): Promise<(AuditEnd & { sealed: boolean }) | undefined> {
  const [last] = await rows(
    db,
    sql<AuditEnd & { sealed: boolean }>`
      select position, encode(hash, 'hex') as hash, audit_id, now() as at,
        exists (select from audit_head where id = 1) as sealed
      from audit_links order by position desc limit 1`,
  )
  return last
}
