import type { users as calls, Role, roles as roleCalls, User } from '@portal/contracts/access'
import type { QueryOf } from '@portal/contracts/endpoint'
import { sql } from 'drizzle-orm'
import { type Db, rows } from '../kit/db.ts'
import { matches, paged } from '../kit/paging.ts'

const byName = (column: string) => sql.raw(`${column} collate "fr-x-icu"`)

/** Accounts, newest first unless sorted otherwise, with the counts of the three cards. */
export async function listUsers(db: Db, query: QueryOf<typeof calls.list>) {
  const [users, counts] = await Promise.all([
    paged<User>(db, query, {
      columns: sql`u.id, u.first_name, u.last_name, u.email, u.gender, u.type, u.user_title, u.deactivated_at,
        u.deactivated_at is null as active,
        coalesce((select jsonb_agg(jsonb_build_object('id', r.id, 'name', r.name) order by r.name)
          from user_roles ur join roles r on r.id = ur.role_id where ur.user_id = u.id), '[]') as roles`,
      from: sql`users u`,
      where: [
        sql`u.account`,
        matches(sql`u.search`, query.search),
        query.status &&
          (query.status === 'active' ? sql`u.deactivated_at is null` : sql`u.deactivated_at is not null`),
        query.type && sql`u.type = ${query.type}`,
        query.role &&
          sql`exists (select from user_roles ur where ur.user_id = u.id and ur.role_id = ${query.role})`,
      ],
      sort: {
        first_name: byName('u.first_name'),
        last_name: byName('u.last_name'),
        email: sql`u.email`,
        created_at: sql`u.created_at`,
      },
      order: '-created_at',
      key: sql`u.id`,
    }),
    rows<{ active: number; inactive: number; total: number }>(
      db,
      sql`select count(*) filter (where deactivated_at is null) as active,
        count(*) filter (where deactivated_at is not null) as inactive, count(*) as total from users where account`,
    ),
  ])
  const { active = 0, inactive = 0, total = 0 } = counts[0] ?? {}
  return { users, active, inactive, total }
}

/** Roles by name, each with what it allows. */
export async function listRoles(db: Db, query: QueryOf<typeof roleCalls.list>) {
  const list = await paged<Role>(db, query, {
    columns: sql`r.id, r.name, coalesce((select jsonb_agg(jsonb_build_object('id', p.id, 'name', p.name) order by p.id)
      from role_permissions rp join permissions p on p.id = rp.permission_id where rp.role_id = r.id), '[]') as permissions`,
    from: sql`roles r`,
    where: [matches(sql`portal_search(r.name)`, query.search)],
    sort: { name: byName('r.name') },
    order: 'name',
    key: sql`r.id`,
  })
  return { roles: list }
}
