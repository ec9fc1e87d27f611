import { type Permission, permissions, shippedRoles, splitFrom } from '@portal/contracts/permissions'
import type { Client } from 'pg'

/**
 * Synchronises the permissions in the database with the contracts, and makes the shipped roles if there is no role yet.
 * A permission of a later version is granted to the Administrator, and one that was split from others to the roles that have those.
 * Otherwise roles stay as administrators changed them.
 */
export async function syncPermissions(owner: Pick<Client, 'query'>) {
  const added = await owner.query<{ name: Permission }>(
    'insert into permissions (name) select unnest($1::text[]) on conflict (name) do nothing returning name',
    [permissions],
  )
  for (const { name } of added.rows)
    await owner.query(
      `insert into role_permissions (role_id, permission_id)
        select distinct had.role_id, made.id from role_permissions had join permissions former on former.id = had.permission_id
          cross join permissions made
        where former.name = any($1::text[]) and made.name = $2 on conflict do nothing`,
      [splitFrom[name] ?? [], name],
    )
  // Permissions of modules are kept, so that roles have them again when the module comes back.
  await owner.query('delete from permissions where module is null and name <> all($1::text[])', [permissions])
  const { rowCount } = await owner.query('select from roles limit 1')
  if (!rowCount) {
    for (const [name, granted] of Object.entries(shippedRoles)) {
      const made = await owner.query('insert into roles (name, administrator) values ($1, $2) returning id', [
        name,
        name === 'Administrator',
      ])
      await owner.query(
        'insert into role_permissions (role_id, permission_id) select $1, id from permissions where name = any($2::text[])',
        [made.rows[0].id, granted],
      )
    }
  }
  await owner.query(`insert into role_permissions (role_id, permission_id)
    select r.id, p.id from roles r cross join permissions p where r.administrator and p.declared on conflict do nothing`)
}
