import { Deactivation, RoleAssignment, type User, UserEdit } from '@portal/contracts/access'
import { LocaleEdit, ProfileEdit } from '@portal/contracts/access/profile'
import { fillText, type Text } from '@portal/contracts/sentences'
import { sql } from 'kysely'
import { audit, difference } from '../kit/audit/audit.ts'
import { type Tx, transaction } from '../kit/database/db.ts'
import { expectVersion, type SentVersion, versionMark } from '../kit/database/versions.ts'
import { forbidden, invalid, notFound } from '../kit/http/refusals.ts'
import { readAgainst } from '../kit/http/serve.ts'
import { type Actor, endSessions, requireRecentSignIn } from '../kit/http/session.ts'
import type { Context } from '../kit/process/context.ts'
import { msg } from '../messages.ts'
import {
  approversWith,
  isAdministrator,
  keepAdministrator,
  keepLimits,
  lockAccess,
  mayActAs,
  mayGrantRole,
} from './grants.service.ts'
import { say } from './messages.ts'
import { dropLinks, sendInvitation } from './password-links.service.ts'
import { dropTotp } from './totp.service.ts'
import { readUser, writeUser } from './users.service.ts'

type Given = Record<string, unknown>

/** Handles the four forms of `PUT /users/profile/update/{id}`, which differ in their fields. */
export async function changeUser(context: Context, actor: Actor, id: number, given: Given) {
  if ('role_id' in given || 'assign_role' in given) {
    if (!actor.can('users.assign-roles')) throw forbidden()
    await requireRecentSignIn(context.db, actor)
    return assignRole(context, actor, id, readAgainst(RoleAssignment, given))
  }
  if ('deactivate' in given) {
    if (!actor.can('users.deactivate')) throw forbidden()
    const { deactivate, version } = readAgainst(Deactivation, given)
    return setActive(context, actor, id, !deactivate, version)
  }
  const own = id === actor.id
  const general = own ? msg.profileInvalid : undefined
  if (!own && !actor.can('users.update')) throw forbidden(msg.othersProfile)
  if (own && 'locale' in given && Object.keys(given).every((field) => field in LocaleEdit.entries))
    return updateUser(context, actor, id, readAgainst(LocaleEdit, given, general))
  return updateUser(context, actor, id, {
    ...(own && readAgainst(ProfileEdit, given, general)),
    ...(actor.can('users.update') && readAgainst(UserEdit, given, general)),
  })
}

type Changes = Partial<UserEdit & ProfileEdit>

/**
 * Changes the fields that the actor may change. A missing value changes nothing, nor does null, except for the e-mail.
 * Edits share the lock of access, and only one that changes an e-mail address begins again with the lock alone (decision 175).
 */
async function updateUser(
  context: Context,
  actor: Actor,
  id: number,
  { version, ...given }: Changes,
  lock: 'shared' | 'alone' = 'shared',
): Promise<{ message: Text; user: User }> {
  const { db, settings } = context
  const saved = await transaction(db, async (tx) => {
    const beyondOwn = actor.can('users.update')
    const granted = beyondOwn ? await lockAccess(tx, actor, 'users.update', lock) : new Set<string>()
    const before = await lockUser(tx, id)
    expectVersion(before.version, version)
    const wanted = Object.fromEntries(
      Object.entries(given).filter(
        ([field, value]) => value !== undefined && (value !== null || field === 'email'),
      ),
    ) as Partial<typeof before>
    const changes = difference(before, wanted)
    const message = id === actor.id ? msg.profileUpdated : say.userUpdated
    if (!Object.keys(changes.new).length) return { message, user: await readUser(tx, id) }
    const moves = 'email' in changes.new
    if (moves && lock === 'shared') return null
    const keeps = moves && (await isAdministrator(tx, id))
    if (moves) {
      await mayActAs(tx, granted, id)
      await keepLimits(tx, actor, approversWith(sql`ur.user_id = ${id}`))
      await requireRecentSignIn(tx, actor)
    }
    const user = await writeUser(tx, id, wanted)
    await audit(tx, actor, 'updated', 'user', id, {
      old: changes.old,
      new: { ...changes.new, ...versionMark(version) },
    })
    if (moves) {
      // A link that went to the old address must not open the account.
      await dropLinks(tx, id)
      if (wanted.email && !before.password_hash) await sendInvitation(tx, settings, actor, id)
    }
    if (keeps) await keepAdministrator(tx)
    return { message, user }
  })
  return saved ?? updateUser(context, actor, id, { version, ...given }, 'alone')
}

async function assignRole({ db }: Context, actor: Actor, id: number, given: RoleAssignment) {
  const { role_id, assign_role, version } = given
  return transaction(db, async (tx) => {
    const granted = await lockAccess(tx, actor, 'users.assign-roles')
    expectVersion((await lockUser(tx, id)).version, version)
    const role = await tx.selectFrom('roles').selectAll().where('id', '=', role_id).executeTakeFirst()
    if (!role) throw invalid({ role_id: say.roleGone })
    if (assign_role) await mayGrantRole(tx, granted, role_id)
    else if (id !== actor.id) await mayActAs(tx, granted, id)
    else if (role.administrator) throw forbidden(say.ownAdministrator)
    const keeps = !assign_role && role.administrator && (await isAdministrator(tx, id))
    const { numAffectedRows } = assign_role
      ? await sql`insert into user_roles (user_id, role_id) values (${id}, ${role_id}) on conflict do nothing`.execute(
          tx,
        )
      : await sql`delete from user_roles where user_id = ${id} and role_id = ${role_id}`.execute(tx)
    if (numAffectedRows) {
      const event = assign_role ? 'role assigned' : 'role removed'
      const mark = versionMark(version)
      await audit(tx, actor, event, 'user', id, {
        old: assign_role ? null : { role: role.name },
        new: assign_role ? { role: role.name, ...mark } : 'without_version' in mark ? mark : null,
      })
    }
    if (keeps) await keepAdministrator(tx)
    if (assign_role) await keepLimits(tx, actor, approversWith(sql`ur.user_id = ${id} and r.id = ${role_id}`))
    return { message: assign_role ? say.roleAssigned : say.roleTakenAway, user: await readUser(tx, id) }
  })
}

async function setActive({ db }: Context, actor: Actor, id: number, active: boolean, version: SentVersion) {
  return transaction(db, async (tx) => {
    const granted = await lockAccess(tx, actor, 'users.deactivate')
    expectVersion((await lockUser(tx, id)).version, version)
    await switchAccount(tx, { actor, granted }, id, active, versionMark(version))
    return { message: active ? say.userActivated : say.userDeactivated, user: await readUser(tx, id) }
  })
}

/** Deactivates all of the accounts, or none if one of them must stay active. Deactivated ones are skipped. */
export async function deactivateUsers({ db }: Context, actor: Actor, ids: readonly number[]) {
  return transaction(db, async (tx) => {
    const granted = await lockAccess(tx, actor, 'users.deactivate')
    let deactivated = 0
    for (const id of ids) if (await switchAccount(tx, { actor, granted }, id, false)) deactivated++
    return { message: fillText(say.usersDeactivated, deactivated), deactivated }
  })
}

/** Activates or deactivates an account; false if nothing changed. */
async function switchAccount(
  tx: Tx,
  { actor, granted }: { actor: Actor; granted: Set<string> },
  id: number,
  active: boolean,
  mark: ReturnType<typeof versionMark> = {},
): Promise<boolean> {
  const before = await lockUser(tx, id)
  if (!active && id === actor.id) throw forbidden(say.notYourself)
  if ((before.deactivated_at === null) === active) return false
  await mayActAs(tx, granted, id)
  if (active) await keepLimits(tx, actor, approversWith(sql`ur.user_id = ${id}`))
  const keeps = !active && (await isAdministrator(tx, id))
  const deactivated_at = active ? null : new Date().toISOString()
  await tx.updateTable('users').set({ deactivated_at, updated_at: sql`now()` }).where('id', '=', id).execute()
  if (!active) {
    await endSessions(tx, { user_id: id })
    await dropLinks(tx, id)
  }
  await audit(tx, actor, active ? 'activated' : 'deactivated', 'user', id, {
    old: { deactivated_at: before.deactivated_at },
    new: { deactivated_at, ...mark },
  })
  if (keeps) await keepAdministrator(tx)
  return true
}

/** Ends all sessions of a person, or of the actor all but the present one. */
export async function endSessionsOf({ db }: Context, actor: Actor, id: number) {
  return transaction(db, async (tx) => {
    const granted = await lockAccess(tx, actor, 'users.update')
    await lockUser(tx, id)
    await mayActAs(tx, granted, id)
    const ended = await endSessions(tx, { user_id: id, except: actor.session_id })
    if (ended) await audit(tx, actor, 'sessions ended', 'user', id, { new: { sessions: ended } })
    return { message: fillText(say.sessionsEnded, ended), ended }
  })
}

/** Turns off the one-time codes of a person who has lost both device and recovery codes. */
export async function removeTotpOf({ db, settings }: Context, actor: Actor, id: number) {
  await transaction(db, async (tx) => {
    const granted = await lockAccess(tx, actor, 'users.update')
    await lockUser(tx, id)
    await mayActAs(tx, granted, id)
    await dropTotp(tx, settings, actor, id)
  })
}

/**
 * Locks the account's row. It throws 404 for people of the registers, who are edited in their registers (Access 4.1).
 */
async function lockUser(tx: Tx, id: number) {
  const user = await tx.selectFrom('users').selectAll().where('id', '=', id).forUpdate().executeTakeFirst()
  if (!user?.account) throw notFound()
  return user
}
