/** The addresses of this module. */
export const paths = {
  cases: '/admin/cases',
  details: (id: number) => `/admin/cases/${id}/details`,
}
