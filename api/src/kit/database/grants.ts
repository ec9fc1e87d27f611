import { permissions as allPermissions, approvesMoney, type Permission } from '@portal/contracts/permissions'
import { type RawBuilder, sql } from 'kysely'
import { type Db, rows } from './db.ts'

const own = new Set<string>(allPermissions)
const approvals = Object.entries(approvesMoney).flatMap(([name, approves]) => (approves ? [name] : []))

/**
 * SQL: whether one of these roles asks for one-time codes. Administrators switch that on for a role. With
 * `PORTAL_REQUIRE_CODES` it also holds for their own role and for each that may approve money (Access 1.5).
 */
const askForCodes = (roles: RawBuilder<unknown>, requireCodes: boolean) => sql`exists (
  select from roles r where r.id = any(${roles}) and (r.requires_totp or
    ${requireCodes} and (r.administrator or exists (select from role_permissions rp
      join permissions p on p.id = rp.permission_id where rp.role_id = r.id and p.name = any(${approvals})))))`

/** SQL: what these roles permit. */
const permittedBy = (roles: RawBuilder<unknown>) => sql`array(select distinct p.name from role_permissions rp
  join permissions p on p.id = rp.permission_id where rp.role_id = any(${roles}))`

const rolesOfPerson = sql`array(select role_id from user_roles where user_id = u.id)`

/**
 * SQL: the permissions of the person `u`. While codes that a role asks for are missing there are none, so that the person
 * can still sign in and set them up.
 */
export const heldPermissions = (requireCodes: boolean) => sql`case
  when u.totp_confirmed_at is null and ${askForCodes(rolesOfPerson, requireCodes)} then '{}'
  else ${permittedBy(rolesOfPerson)} end`

/** What some roles permit. */
type Grants = {
  roles: readonly { id: number; name: string }[]
  totp_required: boolean
  granted: ReadonlySet<string>
  /** The portal's own permissions in their order, then those that modules declare. */
  permissions: readonly Permission[]
}

/** The grants of a person who has not set up the one-time codes that a role requires. */
export const nothingGranted: Pick<Grants, 'granted' | 'permissions'> = {
  granted: new Set(),
  permissions: Object.freeze([]),
}

/** The grants that were read since the stamp of a database changed, by combination of roles. */
const known = new WeakMap<Db, { stamp: string; grants: Map<string, Grants> }>()
/** Combinations of roles are few. */
const knownAtMost = 1000

/**
 * What these roles permit: an array of their ids, as PostgreSQL writes it. It is read again when the stamp is another one, which
 * every change of a role or permission makes in its own transaction (decision 158).
 */
export async function readGrants(
  db: Db,
  requireCodes: boolean,
  roleIds: string,
  stamp: string | null,
): Promise<Grants> {
  const kept = known.get(db)
  const name = `${requireCodes} ${roleIds}`
  const found = kept?.stamp === stamp ? kept?.grants.get(name) : undefined
  if (found) return found
  const { grants, stamp: read } = await grantsOf(db, requireCodes, roleIds)
  if (read !== null) keep(db, read, name, grants)
  return grants
}

/** Keeps what was read beside the stamp that the same statement read. */
function keep(db: Db, stamp: string, name: string, grants: Grants) {
  let kept = known.get(db)
  if (kept?.stamp !== stamp || kept.grants.size >= knownAtMost) {
    kept = { stamp, grants: new Map() }
    known.set(db, kept)
  }
  kept.grants.set(name, grants)
}

type GrantRow = {
  roles: { id: number; name: string }[]
  totp_required: boolean
  permissions: string[]
  stamp: string | null
}

async function grantsOf(
  db: Db,
  requireCodes: boolean,
  roleIds: string,
): Promise<{ grants: Grants; stamp: string | null }> {
  const ids = sql`${roleIds}::bigint[]`
  const [row] = await rows(
    db,
    sql<GrantRow>`
      select coalesce((select jsonb_agg(jsonb_build_object('id', r.id, 'name', r.name) order by r.name)
          from roles r where r.id = any(${ids})), '[]') as roles,
        ${askForCodes(ids, requireCodes)} as totp_required, ${permittedBy(ids)} as permissions,
        (select stamp from access_stamp) as stamp`,
  )
  if (!row) throw new Error('The roles could not be read')
  const granted = new Set(row.permissions)
  const declared = [...granted].filter((name) => !own.has(name)).sort() as Permission[]
  const grants = {
    roles: Object.freeze(row.roles),
    totp_required: row.totp_required,
    granted,
    permissions: Object.freeze([...allPermissions.filter((name) => granted.has(name)), ...declared]),
  }
  return { grants, stamp: row.stamp }
}
