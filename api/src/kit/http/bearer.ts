import type { Text } from '@portal/contracts/sentences'
import type { FastifyRequest } from 'fastify'
import { sql } from 'kysely'
import { type Db, rows } from '../database/db.ts'
import { sha256 } from '../secrets/seal.ts'
import { Refusal } from './refusals.ts'

/** Tables of tokens: the hash of each, whether it was revoked, and when it was used last. */
type Table = 'sync_tokens' | 'module_tokens'

/**
 * Returns the id of the token in `Authorization: Bearer`, or throws 401 with this sentence. `last_used_at` is written at most
 * once a minute, so that not every call causes a write.
 */
export async function readBearer(
  db: Db,
  request: FastifyRequest,
  table: Table,
  sentence: Text,
): Promise<number> {
  const [, token] = /^Bearer +([\w.~+/=-]{1,200}) *$/i.exec(request.headers.authorization ?? '') ?? []
  const tokens = sql.table(table)
  const unexpired = table === 'module_tokens' ? sql`and expires_at > now()` : sql``
  const [found] = token
    ? await rows(
        db,
        sql<{ id: number; stale: boolean }>`
        select id, last_used_at is null or last_used_at < now() - interval '1 minute' as stale
          from ${tokens} where token_hash = ${sha256(token)} and revoked_at is null ${unexpired}`,
      )
    : []
  if (!found) throw new Refusal(401, sentence, { headers: { 'www-authenticate': 'Bearer' } })
  if (found.stale) await rows(db, sql`update ${tokens} set last_used_at = now() where id = ${found.id}`)
  return found.id
}
