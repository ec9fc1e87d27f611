import type { SyncToken } from '@portal/contracts/attendance/messages'
import type { PageQuery } from '@portal/contracts/fields'
import type { FastifyRequest } from 'fastify'
import { sql } from 'kysely'
import { audit } from '../kit/audit/audit.ts'
import { type Db, transaction } from '../kit/database/db.ts'
import { paged } from '../kit/database/paging.ts'
import { readBearer } from '../kit/http/bearer.ts'
import { conflict, notFound } from '../kit/http/refusals.ts'
import { sendOnce } from '../kit/http/sent-forms.ts'
import type { Actor } from '../kit/http/session.ts'
import { randomToken, sha256 } from '../kit/secrets/seal.ts'
import { text } from './messages.ts'

/** Lists the tokens, newest first. */
export function listTokens(db: Db, query: PageQuery) {
  return paged<SyncToken>(db, query, {
    columns: sql`t.id, t.name, t.created_at, t.last_used_at, t.revoked_at,
      jsonb_build_object('first_name', u.first_name, 'last_name', u.last_name) as "user"`,
    from: sql`sync_tokens t join users u on u.id = t.user_id`,
    sort: {},
    order: null,
    key: sql`-t.id`,
  })
}

/** Makes a token of 256 random bits. Only its hash is stored, so only this response contains it. */
export function createToken(db: Db, actor: Actor, name: string): Promise<{ id: number; token: string }> {
  const token = randomToken()
  return transaction(db, async (tx) => {
    await sendOnce(tx, actor)
    const made = await sql<{ id: number }>`
      insert into sync_tokens (name, token_hash, user_id) values (${name}, ${sha256(token)}, ${actor.id}) returning id
    `.execute(tx)
    const id = Number(made.rows[0]?.id)
    await audit(tx, actor, 'created', 'sync token', id, { new: { name } })
    return { id, token }
  })
}

/** Revokes a token. The next call with it is refused. */
export async function revokeToken(db: Db, actor: Actor, id: number): Promise<void> {
  await transaction(db, async (tx) => {
    const { rows: found } = await sql<{ name: string; revoked_at: string | null }>`
      select name, revoked_at from sync_tokens where id = ${id} for update`.execute(tx)
    if (!found[0]) throw notFound()
    if (found[0].revoked_at) throw conflict(text.tokenRevokedBefore)
    await sql`update sync_tokens set revoked_at = now() where id = ${id}`.execute(tx)
    await audit(tx, actor, 'revoked', 'sync token', id, { old: { name: found[0].name } })
  })
}

/** Returns the id of the token in `Authorization: Bearer`, or throws 401. */
export const readToken = (db: Db, request: FastifyRequest): Promise<number> =>
  readBearer(db, request, 'sync_tokens', text.token)
