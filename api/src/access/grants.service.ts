import type { Permission } from '@portal/contracts/permissions'
import { sql } from 'kysely'
import type { Tx } from '../kit/db.ts'
import { conflict, forbidden, signedOut } from '../kit/refusals.ts'
import { type Actor, heldPermissions } from '../kit/session.ts'
import { say } from './messages.ts'

/**
 * Takes the lock for all changes of access and reads the actor's permissions again, so that the second of two concurrent
 * administrators acts with what the first left them (Access 3.3).
 */
export async function lockAccess(tx: Tx, actor: Actor, permission: Permission): Promise<Set<string>> {
  await sql`select pg_advisory_xact_lock(hashtext('access'))`.execute(tx)
  const { rows } = await sql<{ held: string[] }>`
    select ${heldPermissions} as held from users u join sessions s on s.user_id = u.id
    where u.id = ${actor.id} and u.deactivated_at is null and s.id = ${actor.session_id} and s.ended_at is null
  `.execute(tx)
  if (!rows[0]) throw signedOut()
  const held = new Set(rows[0].held)
  if (!held.has(permission)) throw forbidden()
  return held
}

/** 403 unless every permission of a role is held: nobody grants what they do not hold. */
export async function mayGrantRole(tx: Tx, held: Set<string>, roleId: number) {
  const { rows } = await sql<{ name: string }>`
    select p.name from role_permissions rp join permissions p on p.id = rp.permission_id where rp.role_id = ${roleId}
  `.execute(tx)
  if (rows.some(({ name }) => !held.has(name))) throw forbidden(say.notYours)
}

/**
 * 403 when the person holds more than the actor: whoever could move their e-mail address, or take their second factor away,
 * could become them.
 */
export async function mayActAs(tx: Tx, held: Set<string>, userId: number) {
  const { rows } = await sql<{ name: string }>`
    select distinct p.name from user_roles ur join role_permissions rp on rp.role_id = ur.role_id
      join permissions p on p.id = rp.permission_id where ur.user_id = ${userId}`.execute(tx)
  if (rows.some(({ name }) => !held.has(name))) throw forbidden(say.holdsMore)
}

/** Is this person an active administrator? */
export async function isAdministrator(tx: Tx, userId: number): Promise<boolean> {
  const { rows } = await sql`
    select from users u join user_roles ur on ur.user_id = u.id join roles r on r.id = ur.role_id
    where u.id = ${userId} and r.administrator and u.account and u.deactivated_at is null`.execute(tx)
  return rows.length > 0
}

/** 409 when nobody would be left who administers and can sign in; asked after the change, under the lock. */
export async function keepAdministrator(tx: Tx) {
  const { rows } = await sql`
    select from users u join user_roles ur on ur.user_id = u.id join roles r on r.id = ur.role_id
    where r.administrator and u.account and u.deactivated_at is null and u.email is not null and u.password_hash is not null
    limit 1`.execute(tx)
  if (!rows.length) throw conflict(say.lastAdministrator)
}
