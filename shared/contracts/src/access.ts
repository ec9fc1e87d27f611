import * as v from 'valibot'
import { endpoint } from './endpoint.ts'
import { id, listQuery, oneOf, page } from './fields.ts'

/** An account as /admin/users lists it (section 3); N/A is the page's word for null. */
export const User = v.object({
  id: v.number(),
  first_name: v.string(),
  last_name: v.string(),
  email: v.nullable(v.string()),
  gender: v.nullable(v.picklist(['male', 'female'])),
  type: v.nullable(v.picklist(['teacher', 'student', 'partner', 'developer'])),
  user_title: v.nullable(v.picklist(['mr', 'mrs', 'miss', 'prof', 'dr'])),
  deactivated_at: v.nullable(v.string()),
  active: v.boolean(),
  roles: v.array(v.object({ id: v.number(), name: v.string() })),
})
export type User = v.InferOutput<typeof User>

/** A role with what it allows (section 3). */
export const Role = v.object({
  id: v.number(),
  name: v.string(),
  permissions: v.array(v.object({ id: v.number(), name: v.string() })),
})
export type Role = v.InferOutput<typeof Role>

export const users = {
  /** Accounts only (decisions 3.6); the counts are those of all accounts, whatever the filter. */
  list: endpoint({
    method: 'GET',
    path: '/admin/users/list',
    access: 'users.view',
    query: listQuery(['first_name', 'last_name', 'email', 'created_at'], {
      status: v.optional(oneOf('active', 'inactive')),
      role: v.optional(id),
      type: v.optional(oneOf('teacher', 'student', 'partner', 'developer')),
    }),
    answer: v.object({ users: page(User), active: v.number(), inactive: v.number(), total: v.number() }),
  }),
}

export const roles = {
  list: endpoint({
    method: 'GET',
    path: '/admin/roles/list',
    access: 'roles.view',
    query: listQuery(['name']),
    answer: v.object({ roles: page(Role) }),
  }),
}
