import type { PersonKind } from '@portal/contracts/access/person-data'

/** Addresses of the screens of users, roles and the audit log. */
export const paths = {
  users: '/admin/users',
  roles: '/admin/roles',
  audit: '/admin/users/audit/logs',
  erasures: '/admin/users/erasures',
  person: (kind: PersonKind, id: number) => `/admin/users/people/${kind}/${id}`,
  holders: (role: number) => `/admin/users?role=${role}`,
}
