/** All roles in one answer, in the order of their names: a programme has a dozen, not hundreds. */
export const everyRole = { query: { per_page: 100, sort: 'name' } } as const
