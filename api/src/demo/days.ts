/** The day `days` after (or before) another, as `YYYY-MM-DD`. */
export function dayAfter(day: string, days: number): string {
  return new Date(Date.parse(`${day}T00:00:00Z`) + days * 86_400_000).toISOString().slice(0, 10)
}

/** A moment of a day, in UTC. */
export const momentOf = (day: string, time = '08:00:00'): string => `${day}T${time}.000Z`

/** Monday to Friday of the week of `today`, without the days after it. */
export function schoolDays(today: string): string[] {
  const weekday = (new Date(`${today}T00:00:00Z`).getUTCDay() + 6) % 7
  const monday = dayAfter(today, -weekday)
  return Array.from({ length: Math.min(5, weekday + 1) }, (_, k) => dayAfter(monday, k))
}
