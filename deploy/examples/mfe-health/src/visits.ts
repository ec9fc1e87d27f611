import type { AnswerOf } from '@portal/contracts/endpoint'
import { day, name, oneOf } from '@portal/contracts/fields'
import { noticesOf } from '@portal/contracts/module-notices'
import { recordsOf } from '@portal/contracts/records'
import * as v from 'valibot'

/** The reasons for a visit. */
export const reasons = ['check-up', 'illness', 'injury', 'nutrition', 'vaccination'] as const
export type Reason = (typeof reasons)[number]

/** The outcomes of a visit. */
export const outcomes = ['in-class', 'rest', 'referred'] as const
export type Outcome = (typeof outcomes)[number]

/** One visit. The form validates with it, and the list reads it. */
export const Visit = v.object({
  student: name,
  school: name,
  date: day,
  reason: oneOf(...reasons),
  outcome: oneOf(...outcomes),
  notes: v.optional(v.pipe(v.string(), v.trim(), v.maxLength(1000, 'too_long|1000')), ''),
})
export type Visit = v.InferOutput<typeof Visit>

/** The visits, which the portal stores. Everything here is as portal.module.json declares it. */
export const visits = recordsOf('mfe-health', 'visits', Visit, {
  read: 'health.view',
  write: 'health.record',
  sort: ['student', 'school', 'date'],
  filters: ['school', 'outcome'],
  days: ['date'],
  totals: ['by-outcome', 'by-school'],
})

/** A stored visit. */
export type VisitRecord = AnswerOf<typeof visits.list>['records']['data'][number]

/** What the module may put into people's bell. */
export const notices = noticesOf('mfe-health', ['referred'], { send: 'health.record' })

/** Today in UTC, which is the time of Mali and Senegal. */
export const today = () => new Date().toISOString().slice(0, 10)

/** Number of visits in the seven days that end with `until`. */
export function inLastWeek(recorded: readonly { data: Pick<Visit, 'date'> }[], until: string): number {
  const first = new Date(Date.parse(`${until}T00:00:00Z`) - 6 * 24 * 3600 * 1000).toISOString().slice(0, 10)
  return recorded.filter(({ data: { date } }) => date >= first && date <= until).length
}

/** Those at one school. The search of the portal also finds the name in other fields. */
export const atSchool = <Recorded extends { data: Pick<Visit, 'school'> }>(
  recorded: readonly Recorded[],
  school: string,
): Recorded[] => recorded.filter(({ data }) => data.school === school)
