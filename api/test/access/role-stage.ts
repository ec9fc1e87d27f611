import type { Permission } from '@portal/contracts/permissions'
import { beforeEach } from 'vitest'
import type { Client } from '../client.ts'
import type { Account, Portal } from '../portal.ts'

/** For tests of roles: what roles and people have in the database, and who gives a role to whom. Each test has an empty portal. */
export function roleStage(portal: Portal) {
  const { owner } = portal
  beforeEach(() => portal.clear())

  return {
    async roleId(name: string): Promise<number> {
      return (await owner.query('select id from roles where name = $1', [name])).rows[0].id
    },
    async idsOf(...names: Permission[]): Promise<number[]> {
      const sql = 'select id from permissions where name = any($1) order by id'
      return (await owner.query(sql, [names])).rows.map((row) => row.id)
    },
    async heldBy(role: number): Promise<string[]> {
      const sql =
        'select p.name from role_permissions rp join permissions p on p.id = rp.permission_id where role_id = $1 order by p.id'
      return (await owner.query(sql, [role])).rows.map((row) => row.name)
    },
    async rolesOf(person: Account): Promise<number[]> {
      const sql = 'select role_id from user_roles where user_id = $1'
      return (await owner.query(sql, [person.id])).rows.map((row) => row.role_id)
    },
    assign: (by: Client, person: Account, role: number, on = true) =>
      by.put(`/users/profile/update/${person.id}`, { id: person.id, role_id: role, assign_role: on }),
  }
}
