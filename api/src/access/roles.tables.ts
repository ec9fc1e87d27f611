import { sql } from 'drizzle-orm'
import { boolean, index, jsonb, pgTable, primaryKey, text, uniqueIndex } from 'drizzle-orm/pg-core'
import { createdAt, id, ref, version } from '../kit/columns.ts'
import { users } from './users.tables.ts'

/** Roles are data (Access 3.2); `administrator` marks the one that can be neither deleted nor emptied. */
export const roles = pgTable(
  'roles',
  {
    id: id(),
    name: text('name').notNull(),
    administrator: boolean('administrator').notNull().default(false),
    /** Its holders must sign in with a one-time code. */
    requires_totp: boolean('requires_totp').notNull().default(false),
    version: version(),
    user_id: ref('user_id'),
    created_at: createdAt(),
  },
  (t) => [
    uniqueIndex('roles_name_key').on(sql`lower(${t.name})`),
    uniqueIndex('roles_administrator_key').on(t.administrator).where(sql`administrator`),
  ],
)

/**
 * Every permission of Access 3.1, kept equal to the contracts' list by `migrate`, and those that modules declare, each
 * with its module and its words.
 */
export const permissions = pgTable(
  'permissions',
  {
    id: id(),
    name: text('name').notNull(),
    module: text('module'),
    label: jsonb('label').$type<{ en: string; fr: string }>(),
  },
  (t) => [uniqueIndex('permissions_name_key').on(t.name)],
)

/** What a role allows. */
export const rolePermissions = pgTable(
  'role_permissions',
  {
    role_id: ref('role_id')
      .notNull()
      .references(() => roles.id, { onDelete: 'cascade' }),
    permission_id: ref('permission_id')
      .notNull()
      .references(() => permissions.id, { onDelete: 'cascade' }),
  },
  (t) => [
    primaryKey({ name: 'role_permissions_key', columns: [t.role_id, t.permission_id] }),
    index('role_permissions_permission_id_index').on(t.permission_id),
  ],
)

/** Who holds which role. */
export const userRoles = pgTable(
  'user_roles',
  {
    user_id: ref('user_id')
      .notNull()
      .references(() => users.id),
    role_id: ref('role_id')
      .notNull()
      .references(() => roles.id, { onDelete: 'cascade' }),
    created_at: createdAt(),
  },
  (t) => [
    primaryKey({ name: 'user_roles_key', columns: [t.user_id, t.role_id] }),
    index('user_roles_role_id_index').on(t.role_id),
  ],
)
