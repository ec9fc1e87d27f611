import type { roles as calls, PermissionsEdit, Role, RoleCreate, RoleEdit } from '@portal/contracts/access'
import { frenchRoles, roleName } from '@portal/contracts/access/role-names'
import type { QueryOf } from '@portal/contracts/endpoint'
import type { Locale } from '@portal/contracts/sentences'
import { sql } from 'kysely'
import { audit, difference } from '../kit/audit/audit.ts'
import { type Db, type Reader, rows, type Tx, transaction } from '../kit/database/db.ts'
import { matches, paged } from '../kit/database/paging.ts'
import { expectVersion, type SentVersion, versionMark } from '../kit/database/versions.ts'
import { conflict, constraintFault, forbidden, invalid, notFound } from '../kit/http/refusals.ts'
import type { Actor } from '../kit/http/session.ts'
import { approversWith, keepLimits, lockAccess } from './grants.service.ts'
import { say } from './messages.ts'

constraintFault('roles_name_key', 'name', say.roleNameTaken)

const columns = sql`r.id, r.name, r.administrator, r.requires_totp, r.version,
  (select count(*) from user_roles ur join users u on u.id = ur.user_id where ur.role_id = r.id and u.account) as users,
  coalesce((select jsonb_agg(jsonb_build_object('id', p.id, 'name', p.name, 'label', p.label) order by p.id)
    from role_permissions rp join permissions p on p.id = rp.permission_id where rp.role_id = r.id), '[]') as permissions,
  coalesce((select jsonb_agg(jsonb_build_object('id', p.id, 'name', p.name, 'label', p.label, 'declared', p.declared) order by p.id)
    from dropped_grants d join permissions p on p.id = d.permission_id where d.role_id = r.id), '[]') as dropped`

const inFrench = sql`coalesce(${JSON.stringify(frenchRoles)}::jsonb ->> r.name, r.name)`
/** SQL: the name of a role as the reader sees it. */
const shownName = (locale: Locale) => (locale === 'fr' ? inFrench : sql`r.name`)

/** Lists roles, each with its permissions. They are sorted by the names that the reader sees, and found by these and the stored ones. */
export async function listRoles(db: Db, locale: Locale, query: QueryOf<typeof calls.list>) {
  const shown = shownName(locale)
  const list = await paged<Role>(db, query, {
    columns,
    from: sql`roles r`,
    where: [matches(sql`portal_search(concat_ws(' ', ${shown}, r.name))`, query.search)],
    sort: { name: sql`${shown} collate "fr-x-icu"` },
    order: 'name',
    key: sql`r.id`,
  })
  return { roles: list }
}

/** Lists all permissions that can be given, resource by resource. */
export const listPermissions = (db: Db) =>
  rows(
    db,
    sql<Role['permissions'][number]>`select id, name, label from permissions where declared order by id`,
  )

/** Returns a role, or throws 404. */
export async function readRole(db: Reader, id: number): Promise<Role> {
  const found = await sql<Role>`select ${columns} from roles r where r.id = ${id}`.execute(db)
  if (!found.rows[0]) throw notFound()
  return found.rows[0]
}

/** Makes a role without permissions. */
export async function createRole(db: Db, actor: Actor, given: RoleCreate): Promise<Role> {
  return transaction(db, async (tx) => {
    await lockAccess(tx, actor, 'roles.manage')
    await expectFreeName(tx, given.name)
    const role = await tx
      .insertInto('roles')
      .values({ ...given, user_id: actor.id })
      .returning('id')
      .executeTakeFirstOrThrow()
    await audit(tx, actor, 'created', 'role', role.id, { new: given })
    return readRole(tx, role.id)
  })
}

/** Renames a role, or changes whether it requires one-time codes. Its French name, sent back by a form, renames nothing. */
export async function updateRole(
  db: Db,
  actor: Actor,
  id: number,
  { version, ...edit }: RoleEdit,
  locale: Locale,
): Promise<Role> {
  return transaction(db, async (tx) => {
    const granted = await lockAccess(tx, actor, 'roles.manage')
    const before = await lockRole(tx, id)
    expectVersion(before.version, version)
    const given = edit.name === roleName(before.name, locale) ? { ...edit, name: before.name } : edit
    if (before.requires_totp && given.requires_totp === false) await mayDropCodes(tx, granted, id)
    if (given.name !== before.name) await expectFreeName(tx, given.name, id)
    const changes = difference(before, given)
    if (Object.keys(changes.new).length) {
      await tx.updateTable('roles').set(given).where('id', '=', id).execute()
      await audit(tx, actor, 'updated', 'role', id, {
        old: changes.old,
        new: { ...changes.new, ...versionMark(version) },
      })
    }
    return readRole(tx, id)
  })
}

/** Deletes a role, whose permissions the actor must all have (Access 3.3). The audit row names the people and permissions that it had. */
export async function removeRole(db: Db, actor: Actor, id: number, version: SentVersion) {
  await transaction(db, async (tx) => {
    const own = await lockAccess(tx, actor, 'roles.manage')
    const role = await lockRole(tx, id)
    expectVersion(role.version, version)
    if (role.administrator) throw conflict(say.administratorStays)
    const holders = await sql<{ id: number }>`
      select user_id as id from user_roles where role_id = ${id} order by user_id`.execute(tx)
    const granted = await namesOf(tx, id)
    if (granted.some((name) => !own.has(name))) throw forbidden(say.roleHoldsMore)
    await tx.deleteFrom('roles').where('id', '=', id).execute()
    await audit(tx, actor, 'deleted', 'role', id, {
      old: { name: role.name, permissions: granted, users: holders.rows.map((row) => row.id) },
      ...(typeof version !== 'number' && { new: versionMark(version) }),
    })
  })
}

/** Replaces the permissions of a role. The actor must have each that is added or taken away (Access 3.3). */
export async function assignPermissions(db: Db, actor: Actor, given: PermissionsEdit): Promise<Role> {
  const ids = [...new Set(given.permissions)]
  return transaction(db, async (tx) => {
    const granted = await lockAccess(tx, actor, 'permissions.assign')
    const role = await tx
      .selectFrom('roles')
      .selectAll()
      .where('id', '=', given.role_id)
      .forUpdate()
      .executeTakeFirst()
    if (!role) throw invalid({ role_id: say.roleGone })
    expectVersion(role.version, given.version)
    const wanted = await tx
      .selectFrom('permissions')
      .select('name')
      .where('id', 'in', ids)
      .where('declared', '=', true)
      .orderBy('id')
      .execute()
    if (wanted.length !== ids.length) throw invalid({ permissions: say.permissionGone })
    const before = await namesOf(tx, role.id)
    const after = wanted.map(({ name }) => name)
    if (role.administrator && before.some((name) => !after.includes(name)))
      throw conflict(say.administratorWhole)
    const changed = [
      ...after.filter((name) => !before.includes(name)),
      ...before.filter((name) => !after.includes(name)),
    ]
    if (changed.some((name) => !granted.has(name))) throw forbidden(say.notYoursEither)
    const dropped = await clearDropped(tx, role.id)
    if (before.join() !== after.join() || dropped.length > 0) {
      await tx.deleteFrom('role_permissions').where('role_id', '=', role.id).execute()
      await tx
        .insertInto('role_permissions')
        .values(ids.map((permission_id) => ({ role_id: role.id, permission_id })))
        .execute()
      await tx
        .updateTable('roles')
        .set({ version: role.version + 1 })
        .where('id', '=', role.id)
        .execute()
      if (!before.includes('cohorts.approve'))
        await keepLimits(tx, actor, approversWith(sql`r.id = ${role.id}`))
      await audit(tx, actor, 'permissions assigned', 'role', role.id, {
        old: { permissions: before, ...(dropped.length > 0 && { dropped }) },
        new: { permissions: after, ...versionMark(given.version) },
      })
    }
    return readRole(tx, role.id)
  })
}

/**
 * Throws 403 if the role has permissions that the actor lacks (Access 3.5). Holders of the role without codes of their own
 * make no such call.
 */
async function mayDropCodes(tx: Tx, granted: Set<string>, roleId: number) {
  if ((await namesOf(tx, roleId)).some((name) => !granted.has(name))) throw forbidden(say.roleHoldsMore)
}

/**
 * Refuses a name that another role has on French screens. The index only knows stored names. Changes of roles happen one at a
 * time, so that nobody takes the name meanwhile.
 */
async function expectFreeName(tx: Tx, name: string, ownId = 0) {
  const { rows: others } = await sql`
    select from roles r where lower(${inFrench}) = lower(${roleName(name, 'fr')}) and r.id <> ${ownId}`.execute(
    tx,
  )
  if (others.length > 0) throw invalid({ name: say.roleNameTaken })
}

async function lockRole(tx: Tx, id: number) {
  const role = await tx.selectFrom('roles').selectAll().where('id', '=', id).forUpdate().executeTakeFirst()
  if (!role) throw notFound()
  return role
}

/** Deletes the permissions of a role that modules have dropped. Whoever saves the role has seen them. */
async function clearDropped(tx: Tx, roleId: number): Promise<string[]> {
  const found = await sql<{ name: string }>`
    delete from dropped_grants d using permissions p where p.id = d.permission_id and d.role_id = ${roleId}
    returning p.name`.execute(tx)
  return found.rows.map(({ name }) => name).sort()
}

async function namesOf(tx: Tx, roleId: number): Promise<string[]> {
  const found = await sql<{ name: string }>`
    select p.name from role_permissions rp join permissions p on p.id = rp.permission_id where rp.role_id = ${roleId} order by p.id
  `.execute(tx)
  return found.rows.map(({ name }) => name)
}
