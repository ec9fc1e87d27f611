/** Addresses of the transfers screens. */
export const paths = {
  overview: '/admin/transfers',
  settings: '/admin/transfers/settings',
  hold: '/admin/transfers/sending-hold',
  exceptions: '/admin/transfers/exceptions',
  payeeHolds: '/admin/transfers/payee-holds',
  reconciliations: '/admin/transfers/reconciliations',
  statements: '/admin/transfers/statements',
  statement: (id: number) => `/admin/transfers/statements/${id}`,
  cohorts: '/admin/transfers/cohorts/list',
  importCohort: '/admin/transfers/cohorts/import',
  openImport: (id: number) => `/admin/transfers/cohorts/import?import=${id}`,
  parameters: '/admin/transfers/parameters/list',
  summary: (cohort: number) => `/admin/transfers/cohorts/${cohort}/summary`,
  payrolls: (cohort: number) => `/admin/transfers/cohorts/${cohort}/payrolls`,
  payroll: (group: number) => `/admin/transfers/cohorts/payroll/${group}`,
}
