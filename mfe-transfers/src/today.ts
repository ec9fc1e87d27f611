/** Today in UTC, the countries' own time zone. */
export const today = () => new Date().toISOString().slice(0, 10)
