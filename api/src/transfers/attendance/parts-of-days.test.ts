import { expect, test } from 'vitest'
import { partsOf } from './parts-of-days.ts'

const dayOf = (ms: number) => new Date(ms).toISOString().slice(0, 10)
const daysOf = (from: string, to: string) => {
  const days: string[] = []
  for (let ms = Date.parse(from); ms <= Date.parse(to); ms += 86_400_000) days.push(dayOf(ms))
  return days
}
const lastOfMonth = (month: string) => {
  const [year = 0, n = 0] = month.split('-').map(Number)
  return dayOf(Date.UTC(year, n, 0))
}

/** How often each day is counted. */
function counted({ months, days }: ReturnType<typeof partsOf>) {
  const times = new Map<string, number>()
  const add = (day: string, sign: number) => times.set(day, (times.get(day) ?? 0) + sign)
  if (months) for (const day of daysOf(months.from, lastOfMonth(months.to))) add(day, 1)
  for (const { sign, from, to } of days) for (const day of daysOf(from, to)) add(day, sign)
  return [...times].flatMap(([day, n]) => (n === 0 ? [] : [`${day} ${n}`])).sort()
}

test('an officer has each day of her choice counted once, and no other, on every day of a leap year', () => {
  for (const last of daysOf('2028-01-01', '2028-12-31'))
    for (const many of [7, 30, 59, 366]) {
      const first = dayOf(Date.parse(last) - (many - 1) * 86_400_000)
      const wanted = daysOf(first, last).map((day) => `${day} 1`)
      expect(counted(partsOf(first, last)), `${first} to ${last}`).toEqual(wanted)
    }
})

test('an officer waits for the reports of half a month at most, and months are whole', () => {
  for (const last of daysOf('2027-01-01', '2027-12-31'))
    for (const many of [7, 30, 90, 366]) {
      const { months, days } = partsOf(dayOf(Date.parse(last) - (many - 1) * 86_400_000), last)
      if (months) expect([months.from.slice(8), months.to.slice(8)]).toEqual(['01', '01'])
      const [read] = days
      const length = read && read.from <= last ? daysOf(read.from, read.to).length : 0
      expect(length, `${many} days to ${last}`).toBeLessThanOrEqual(15)
    }
  expect(partsOf('2027-03-20', '2027-03-26')).toEqual({
    months: null,
    days: [{ sign: 1, from: '2027-03-20', to: '2027-03-26' }],
  })
})
