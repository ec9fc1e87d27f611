import { sql } from 'kysely'
import { audit } from '../kit/audit/audit.ts'
import { type Db, transaction } from '../kit/database/db.ts'
import { conflict, forbidden } from '../kit/http/refusals.ts'
import type { Actor } from '../kit/http/session.ts'
import { lockAccess, mayActAs } from './grants.service.ts'
import { say } from './messages.ts'
import { readUser } from './users.service.ts'

/**
 * Sets how many francs a person may approve at once, or takes the limit away (Money 5.18). Nobody sets their own, nor gives more
 * than they have themselves.
 */
export function setApprovalLimit(db: Db, actor: Actor, id: number, amount: number | null): Promise<void> {
  return transaction(db, async (tx) => {
    const granted = await lockAccess(tx, actor, 'users.assign-roles')
    const { approval_limit: old } = await readUser(tx, id)
    if (id === actor.id) throw forbidden(say.ownLimit)
    await mayActAs(tx, granted, id)
    const { approval_limit: own } = await readUser(tx, actor.id)
    if (own !== null && (amount === null || amount > own)) throw conflict(say.limitAboveYours, own)
    if (amount === old) return
    await (amount === null
      ? sql`delete from approval_limits where user_id = ${id}`
      : sql`
        insert into approval_limits (user_id, amount, set_by) values (${id}, ${amount}, ${actor.id})
        on conflict (user_id) do update set amount = excluded.amount, set_by = excluded.set_by, set_at = now()`
    ).execute(tx)
    await audit(tx, actor, 'approval limit set', 'user', id, {
      old: { approval_limit: old },
      new: { approval_limit: amount },
    })
  })
}
