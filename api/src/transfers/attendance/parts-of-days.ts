/** Days that are added to the sums of months, or taken out of them. */
type Days = { sign: 1 | -1; from: string; to: string }
/** From which months, named by their first days, and from which days on their own a sum over days is made. All ends are included. */
type Parts = { months: { from: string; to: string } | null; days: Days[] }

const later = (day: string, days: number) =>
  new Date(Date.parse(day) + days * 86_400_000).toISOString().slice(0, 10)
const monthOf = (day: string) => `${day.slice(0, 7)}-01`
const nextMonth = (day: string) => monthOf(later(monthOf(day), 31))
const length = ({ from, to }: Days) => Math.max(0, (Date.parse(to) - Date.parse(from)) / 86_400_000 + 1)

/**
 * Cuts the days from `first` to `last`, both `YYYY-MM-DD`, into months whose sums are kept and days that are read on their own. Of the first month
 * the days that count are added, or the others are taken out, whichever are fewer. A few days need no month.
 */
export function partsOf(first: string, last: string): Parts {
  const [start, next, end] = [monthOf(first), nextMonth(first), monthOf(last)]
  const all: Days = { sign: 1, from: first, to: last }
  const before: Days = { sign: -1, from: start, to: later(first, -1) }
  const rest: Days = { sign: 1, from: first, to: later(next, -1) }
  // The last month is mostly the present one, and has no reports behind its last day.
  const after: Days = { sign: -1, from: later(last, 1), to: later(nextMonth(last), -1) }
  const withMonths = (from: string, days: Days): Parts => ({
    months: { from, to: end },
    days: [days, after].filter((part) => length(part) > 0),
  })
  if (next <= end && length(rest) <= length(before)) return withMonths(next, rest)
  return length(before) < length(all) ? withMonths(start, before) : { months: null, days: [all] }
}
