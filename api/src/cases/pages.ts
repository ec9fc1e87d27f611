/** The page of a case, in notices and mails. */
export const casePage = (id: number): string => `/admin/cases/${id}/details`
