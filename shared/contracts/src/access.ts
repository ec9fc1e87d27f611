import * as v from 'valibot'
import { accountFields } from './access/users.fields.ts'
import { endpoint } from './endpoint.ts'
import { answersOf, codesOf, rulesOf } from './field.ts'
import { chosen, done, id, listQuery, name, oneOf, page, version } from './fields.ts'
import { accountTypes } from './registers/closed-lists.ts'

/** An account as /admin/users lists it; N/A is the page's word for null. */
export const User = v.object({
  id: v.number(),
  ...answersOf(accountFields),
  deactivated_at: v.nullable(v.string()),
  active: v.boolean(),
  /** Has an invitation by mail and has set no password yet (Access 4.2). */
  invited: v.boolean(),
  roles: v.array(v.object({ id: v.number(), name: v.string() })),
  /** How many francs the person may approve at once; null without a limit (Money 5.18). */
  approval_limit: v.nullable(v.number()),
  version: v.number(),
})
export type User = v.InferOutput<typeof User>

const rules = rulesOf(accountFields)
/** Add user (Access 4.2): without an e-mail the person is listed and cannot sign in; a blank one is none. */
export const UserCreate = v.object({
  first_name: rules.first_name,
  last_name: rules.last_name,
  // An account that exists may lack these; a new one may not.
  email: v.unwrap(rules.email),
  gender: v.unwrap(rules.gender),
  type: v.unwrap(rules.type),
  user_title: v.unwrap(rules.user_title),
} satisfies Record<keyof typeof rules, v.GenericSchema>)
export type UserCreate = v.InferOutput<typeof UserCreate>

/** What `users.update` allows of another's record. */
export const UserEdit = v.object({ ...rules, version })
export type UserEdit = v.InferOutput<typeof UserEdit>

/** The person's id stands in the path, and whatever the body says beside it is not looked at (Calls 1.5). */
const sameId = v.optional(v.unknown())

/** Gives a role (`true`) or takes it away. */
export const RoleAssignment = v.object({
  id: sameId,
  role_id: id,
  assign_role: v.boolean('boolean'),
  version,
})
export type RoleAssignment = v.InferOutput<typeof RoleAssignment>

/** Deactivates (`true`) or activates. */
export const Deactivation = v.object({ id: sameId, deactivate: v.boolean('boolean'), version })
export type Deactivation = v.InferOutput<typeof Deactivation>

/** Deactivates all who were chosen in the list, or none of them. */
export const DeactivationOfMany = v.object({ user_ids: chosen })
export type DeactivationOfMany = v.InferOutput<typeof DeactivationOfMany>

/** What all forms of `PUT /users/profile/update/{id}` are: the server tells them apart by their fields. */
export const userChange = {
  method: 'PUT',
  path: '/users/profile/update/:id',
  access: 'session',
  beforeCodes: true,
  answer: v.object({ message: v.string(), user: User }),
} as const

export const users = {
  /** Accounts only (Access 4.1); the counts are those of all accounts, whatever the filter. */
  list: endpoint({
    method: 'GET',
    path: '/admin/users/list',
    access: 'users.view',
    query: listQuery(['first_name', 'last_name', 'email', 'created_at'], {
      status: v.optional(oneOf('active', 'invited', 'inactive')),
      role: v.optional(id),
      type: v.optional(oneOf(...codesOf(accountTypes))),
    }),
    /** Those who are invited count as active, too: nobody has deactivated them. */
    answer: v.object({
      users: page(User),
      active: v.number(),
      invited: v.number(),
      inactive: v.number(),
      total: v.number(),
    }),
  }),
  /** One account as stored now, for after a 409. */
  read: endpoint({
    method: 'GET',
    path: '/admin/users/:id',
    access: 'users.view',
    answer: v.object({ user: User }),
  }),
  /** With an e-mail an invitation leaves; the e-mail of a person of the registers makes her an account. */
  create: endpoint({
    method: 'POST',
    path: '/admin/users',
    access: 'users.create',
    body: UserCreate,
    answer: v.object({ message: v.string(), user: User }),
  }),
  /** Another invitation, for whoever has set no password yet; the earlier link ends. */
  invite: endpoint({
    method: 'POST',
    path: '/admin/users/:id/invitation',
    access: 'users.create',
    answer: done,
  }),
  /** Needs `users.update`, and for another e-mail a recent sign-in (Access 2.4). */
  update: endpoint({ ...userChange, body: UserEdit }),
  /** Needs `users.assign-roles`, to give a role every permission of it, and a recent sign-in (Access 2.4). */
  assignRole: endpoint({ ...userChange, body: RoleAssignment }),
  /** Needs `users.deactivate`; never oneself, never somebody with more permissions, never the last administrator. */
  deactivate: endpoint({ ...userChange, body: Deactivation }),
  /** One transaction: whoever must stay (oneself, the last administrator) keeps all of them active. */
  deactivateMany: endpoint({
    method: 'POST',
    path: '/admin/users/deactivate',
    access: 'users.deactivate',
    body: DeactivationOfMany,
    answer: v.object({ message: v.string(), deactivated: v.number() }),
  }),
  /** Signs a person out everywhere, for a lost device or an account in wrong hands. */
  endSessions: endpoint({
    method: 'DELETE',
    path: '/admin/users/:id/sessions',
    access: 'users.update',
    fresh: true,
    answer: v.object({ message: v.string(), ended: v.number() }),
  }),
  /** For whoever lost both device and recovery codes: turns one-time codes off, and the person sets them up anew. */
  removeTotp: endpoint({
    method: 'DELETE',
    path: '/admin/users/:id/totp',
    access: 'users.update',
    fresh: true,
    answer: done,
  }),
}

/** Those that a module declares bring their words along; the portal's own have theirs on the page. */
const Permission = v.object({
  id: v.number(),
  name: v.string(),
  label: v.optional(v.nullable(v.object({ en: v.string(), fr: v.string() }))),
})

/** A role with what it allows. */
export const Role = v.object({
  id: v.number(),
  name: v.string(),
  permissions: v.array(Permission),
  /** What it allowed until a module dropped the permission. `declared`: the module has it again, and a person may give it again. */
  dropped: v.array(v.object({ ...Permission.entries, declared: v.boolean() })),
  /** The one that holds everything: it can be neither deleted nor emptied. */
  administrator: v.boolean(),
  /** Asks its holders for one-time codes. */
  requires_totp: v.boolean(),
  /** How many hold it. */
  users: v.number(),
  version: v.number(),
})
export type Role = v.InferOutput<typeof Role>

/** A new role. */
export const RoleCreate = v.object({ name, requires_totp: v.optional(v.boolean('boolean')) })
export type RoleCreate = v.InferOutput<typeof RoleCreate>

/** Another name of a role, or whether it asks for one-time codes. */
export const RoleEdit = v.object({ ...RoleCreate.entries, version })
export type RoleEdit = v.InferOutput<typeof RoleEdit>

/** Deletes a role; its name travels with it and is not looked at. */
const RoleRemoval = v.object({
  name: v.optional(v.string()),
  delete: v.literal(true, 'boolean'),
  version,
})

/** What a role is to allow: replaces what it allowed (Access 3.4). */
export const PermissionsEdit = v.object({
  role_id: id,
  permissions: v.pipe(v.array(id, 'permission_needed'), v.minLength(1, 'permission_needed')),
  version,
})
export type PermissionsEdit = v.InferOutput<typeof PermissionsEdit>

const roleAnswer = v.object({ message: v.string(), role: Role })
const roleChange = { method: 'PUT', path: '/admin/roles/:id', access: 'roles.manage', fresh: true } as const

export const roles = {
  list: endpoint({
    method: 'GET',
    path: '/admin/roles/list',
    access: 'roles.view',
    query: listQuery(['name']),
    answer: v.object({ roles: page(Role) }),
  }),
  /** One role as stored now, for after a 409. */
  read: endpoint({
    method: 'GET',
    path: '/admin/roles/:id',
    access: 'roles.view',
    answer: v.object({ role: Role }),
  }),
  create: endpoint({
    method: 'POST',
    path: '/admin/roles',
    access: 'roles.manage',
    fresh: true,
    body: RoleCreate,
    answer: roleAnswer,
  }),
  update: endpoint({ ...roleChange, body: RoleEdit, answer: roleAnswer }),
  remove: endpoint({ ...roleChange, body: RoleRemoval, answer: done }),
  /** Update and remove as the server reads them: one call, told apart by `delete`. */
  change: endpoint({
    ...roleChange,
    body: v.lazy((given) => (isRemoval(given) ? RoleRemoval : RoleEdit)),
    answer: v.object({ message: v.string(), role: v.optional(Role) }),
  }),
}

function isRemoval(given: unknown): boolean {
  return (
    typeof given === 'object' &&
    given !== null &&
    'delete' in given &&
    given.delete !== false &&
    given.delete !== undefined
  )
}

export const permissions = {
  /** Every permission there is, in the order of the resources. */
  list: endpoint({
    method: 'GET',
    path: '/admin/permissions/list',
    access: 'roles.view',
    answer: v.object({
      permissions: v.array(Permission),
      /** What permissions are about, by the part before the dot. */
      resources: v.record(v.string(), v.object({ en: v.string(), fr: v.string() })),
    }),
  }),
  /** Nobody gives or takes away what they do not hold (Access 3.3). */
  assign: endpoint({
    method: 'POST',
    path: '/admin/permissions',
    access: 'permissions.assign',
    fresh: true,
    body: PermissionsEdit,
    answer: roleAnswer,
  }),
}
