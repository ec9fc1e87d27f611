/** The addresses of this module. */
export const paths = {
  cases: '/admin/cases',
  /** The expert's page as mfe-external shows it to the reviewer. */
  preview: (id: number, referral: number) => `/admin/consultations/preview/${id}/${referral}`,
  details: (id: number) => `/admin/cases/${id}/details`,
}
