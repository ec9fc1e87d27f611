/** Addresses of the user and role screens (section 2). */
export const paths = { users: '/admin/users', roles: '/admin/roles' }
