/** The addresses of this module, all below the route of its manifest. */
export const paths = { notes: '/admin/starter' }
