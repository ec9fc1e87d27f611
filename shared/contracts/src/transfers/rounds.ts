/** A day as `YYYY-MM-DD`, in UTC, the countries' own time zone. */
type Day = string

const dayNumber = (day: Day) => Date.parse(`${day}T00:00:00Z`) / 86_400_000
const dayOf = (number: number): Day => new Date(number * 86_400_000).toISOString().slice(0, 10)

/** The plan of a cohort's rounds, first to last: each with the day it is due (Money 2.1). */
export function planRounds(from: Day, to: Day, frequency: number): { n: number; due_on: Day }[] {
  const days = dayNumber(to) - dayNumber(from) + 1
  const rounds = Math.min(days, Math.max(1, Math.round((frequency * days * 12) / 365)))
  return Array.from({ length: rounds }, (_, k) => ({
    n: k + 1,
    due_on: dayOf(dayNumber(from) + Math.floor((k * days) / rounds)),
  }))
}

/** The round that approval makes: the latest one due on `today`, or the first when the period lies ahead. */
export function roundAtApproval(plan: { n: number; due_on: Day }[], today: Day): number {
  return plan.filter((round) => round.due_on <= today).at(-1)?.n ?? 1
}

/** The programme's fees on an amount, in whole francs; `hundredths` of a percent (Money 1.4). */
export function feesOf(amount: number, hundredths: number): number {
  // 2,000,000 × 10,000 is far below 2^53: exact.
  return Math.floor((amount * hundredths + 5000) / 10_000)
}
