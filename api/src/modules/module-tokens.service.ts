import type { ModuleToken, ModuleTokenNew } from '@portal/contracts/module-tokens'
import type { PortalRegistry } from '@portal/registry'
import { sql } from 'kysely'
import { audit } from '../kit/audit/audit.ts'
import { type Db, transaction } from '../kit/database/db.ts'
import { conflict, forbidden, invalid, notFound } from '../kit/http/refusals.ts'
import { type FormSender, sendOnce } from '../kit/http/sent-forms.ts'
import type { Author } from '../kit/http/session.ts'
import { randomToken, sha256 } from '../kit/secrets/seal.ts'
import { liveModule } from './live-modules.ts'
import { say } from './messages.ts'
import type { Shelf } from './shelves.ts'

/** The tokens of a module, newest first. */
export async function listModuleTokens(db: Db, module: string): Promise<ModuleToken[]> {
  const found = await sql<ModuleToken>`
    select t.id, t.name, t.read, t.write, t.created_at, t.expires_at, t.last_used_at, t.revoked_at,
      jsonb_build_object('first_name', u.first_name, 'last_name', u.last_name) as "user"
    from module_tokens t join users u on u.id = t.user_id where t.module = ${module} order by t.id desc`.execute(
    db,
  )
  return found.rows
}

/** The collections of the live version of a module, for which a token can be made. */
export async function tokenCollections(registry: PortalRegistry, module: string) {
  const entry = await liveModule(registry, module)
  return (entry?.collections ?? []).map(({ name, label = null }) => ({ name, label }))
}

/** Makes a token of 256 random bits for collections of a live module. Only its hash is stored, so only this response has it. */
export async function createModuleToken(
  db: Db,
  registry: PortalRegistry,
  actor: Author & { id: number } & FormSender,
  module: string,
  { name, read, write, days }: ModuleTokenNew,
): Promise<{ id: number; token: string }> {
  const entry = await liveModule(registry, module)
  if (!entry) throw notFound()
  const known = new Set(entry.collections.map((each) => each.name))
  const unknown = [...read, ...write].find((each) => !known.has(each))
  if (unknown !== undefined) throw invalid({ read: say.collectionUnknown(unknown) })
  if (read.length + write.length === 0) throw invalid({ read: 'choose' })
  const token = randomToken()
  return transaction(db, async (tx) => {
    await sendOnce(tx, actor)
    const made = await sql<{ id: number; expires_at: string }>`
      insert into module_tokens (module, name, token_hash, read, write, expires_at, user_id)
      values (${module}, ${name}, ${sha256(token)}, ${read}::text[], ${write}::text[],
        now() + make_interval(days => ${days}::int), ${actor.id})
      returning id, expires_at`.execute(tx)
    const { id, expires_at } = made.rows[0] as { id: number; expires_at: string }
    await audit(tx, actor, 'created', 'module token', id, { new: { module, name, read, write, expires_at } })
    return { id, token }
  })
}

/** Revokes a token. The next call with it is refused. */
export async function revokeModuleToken(db: Db, author: Author, module: string, id: number): Promise<void> {
  await transaction(db, async (tx) => {
    const found = await sql<{ name: string; revoked_at: string | null }>`
      select name, revoked_at from module_tokens where id = ${id} and module = ${module} for update`.execute(
      tx,
    )
    const token = found.rows[0]
    if (!token) throw notFound()
    if (token.revoked_at) throw conflict(say.tokenRevokedBefore)
    await sql`update module_tokens set revoked_at = now() where id = ${id}`.execute(tx)
    await audit(tx, author, 'revoked', 'module token', id, { old: { module, name: token.name } })
  })
}

/** Checks that a token may read or write this collection, and returns who made it. Throws 403 otherwise. */
export async function admitToken(db: Db, id: number, { module, collection }: Shelf, act: 'read' | 'write') {
  const found = await sql<{ id: number; name: string; user_id: number; may: boolean }>`
    select id, name, user_id,
      module = ${module} and (${collection} = any(write) or ${act} = 'read' and ${collection} = any(read)) as may
    from module_tokens where id = ${id}`.execute(db)
  const [token] = found.rows
  if (!token?.may) throw forbidden(say.tokenMayNot)
  return { id, name: token.name, user_id: token.user_id }
}
