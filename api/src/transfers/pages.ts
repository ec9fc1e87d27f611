/** The page of a cohort, in notices and mails. */
export const cohortPage = (id: number): string => `/admin/transfers/cohorts/${id}/summary`
