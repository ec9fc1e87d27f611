import type { Permission } from '@portal/contracts/permissions'
import { type RawBuilder, sql } from 'kysely'
import { rows, type Tx } from '../kit/database/db.ts'
import { heldPermissions } from '../kit/database/grants.ts'
import { conflict, forbidden, signedOut } from '../kit/http/refusals.ts'
import type { Actor } from '../kit/http/session.ts'
import { say } from './messages.ts'

/**
 * Takes the lock for all changes of access and reads the actor's permissions again. So the second of two concurrent
 * administrators acts with the permissions that the first one left them (Access 3.3). `shared` is for changes that need a
 * permission and change none: they wait for changes of access, and not for each other.
 */
export async function lockAccess(
  tx: Tx,
  actor: Actor,
  permission: Permission,
  mode: 'alone' | 'shared' = 'alone',
): Promise<Set<string>> {
  const lock = sql.raw(mode === 'shared' ? 'pg_advisory_xact_lock_shared' : 'pg_advisory_xact_lock')
  await rows(tx, sql`select ${lock}(hashtext('access'))`)
  const [account] = await rows(
    tx,
    sql<{ granted: string[] }>`
      select ${heldPermissions(actor.requireCodes)} as granted from users u join sessions s on s.user_id = u.id
      where u.id = ${actor.id} and u.deactivated_at is null and s.id = ${actor.session_id} and s.ended_at is null`,
  )
  if (!account) throw signedOut()
  const granted = new Set(account.granted)
  if (!granted.has(permission)) throw forbidden()
  return granted
}

/** Throws 403 unless the actor has every permission of the role (Access 3.3). */
export async function mayGrantRole(tx: Tx, granted: Set<string>, roleId: number) {
  const { rows: found } = await sql<{ name: string }>`
    select p.name from role_permissions rp join permissions p on p.id = rp.permission_id where rp.role_id = ${roleId}
  `.execute(tx)
  if (found.some(({ name }) => !granted.has(name))) throw forbidden(say.notYours)
}

/**
 * Throws 403 if the person has a permission that the actor lacks. Otherwise the actor could change the person's e-mail
 * address, or remove their second factor, and take over the account (Access 4.5).
 */
export async function mayActAs(tx: Tx, granted: Set<string>, userId: number) {
  const { rows: found } = await sql<{ name: string }>`
    select distinct p.name from user_roles ur join role_permissions rp on rp.role_id = ur.role_id
      join permissions p on p.id = rp.permission_id where ur.user_id = ${userId}`.execute(tx)
  if (found.some(({ name }) => !granted.has(name))) throw forbidden(say.holdsMore)
}

/**
 * Throws 409 if an actor with a limit would let one of these people approve more than she may herself, or could do it in their
 * name (Money 5.18). `people` are ids.
 */
export async function keepLimits(tx: Tx, actor: Actor, people: RawBuilder<unknown>) {
  const { rows: found } = await sql<{ own: number }>`
    select own.amount as own from approval_limits own where own.user_id = ${actor.id} and exists (
      select from users u left join approval_limits l on l.user_id = u.id
      where u.id in (${people}) and u.id <> ${actor.id} and (l.amount is null or l.amount > own.amount))`.execute(
    tx,
  )
  if (found[0]) throw conflict(say.approvesMore, found[0].own)
}

/** SQL: the ids of those who may approve money by a role of theirs, among all holders of some roles `r`. */
export const approversWith = (which: RawBuilder<unknown>) => sql`
  select ur.user_id from user_roles ur join roles r on r.id = ur.role_id join role_permissions rp on rp.role_id = r.id
    join permissions p on p.id = rp.permission_id where p.name = 'cohorts.approve' and ${which}`

/** Whether this person is an active administrator. */
export async function isAdministrator(tx: Tx, userId: number): Promise<boolean> {
  const { rows: found } = await sql`
    select from users u join user_roles ur on ur.user_id = u.id join roles r on r.id = ur.role_id
    where u.id = ${userId} and r.administrator and u.account and u.deactivated_at is null`.execute(tx)
  return found.length > 0
}

/**
 * Throws 409 if no administrator who can sign in is left (Access 3.3). It is called after the change, under the lock.
 */
export async function keepAdministrator(tx: Tx) {
  const { rows: found } = await sql`
    select from users u join user_roles ur on ur.user_id = u.id join roles r on r.id = ur.role_id
    where r.administrator and u.account and u.deactivated_at is null and u.email is not null and u.password_hash is not null
    limit 1`.execute(tx)
  if (!found.length) throw conflict(say.lastAdministrator)
}
