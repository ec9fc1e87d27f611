/** Addresses of the screens of users, roles and the audit log. */
export const paths = {
  users: '/admin/users',
  roles: '/admin/roles',
  audit: '/admin/users/audit/logs',
  holders: (role: number) => `/admin/users?role=${role}`,
}
