import { day, name, oneOf } from '@portal/contracts/fields'
import { recordsOf } from '@portal/contracts/records'
import * as v from 'valibot'

/** Why a student was seen. */
export const reasons = ['check-up', 'illness', 'injury', 'nutrition', 'vaccination'] as const
export type Reason = (typeof reasons)[number]

/** How the visit ended. */
export const outcomes = ['in-class', 'rest', 'referred'] as const
export type Outcome = (typeof outcomes)[number]

/** One visit. The form checks it before it is sent, and the list reads it. */
export const Visit = v.object({
  student: name,
  school: name,
  date: day,
  reason: oneOf(...reasons),
  outcome: oneOf(...outcomes),
  notes: v.optional(v.pipe(v.string(), v.trim(), v.maxLength(1000, 'too_long|1000')), ''),
})
export type Visit = v.InferOutput<typeof Visit>

/** The portal keeps the visits; name, collection and permissions are those of portal.module.json. */
export const visits = recordsOf('mfe-health', 'visits', Visit, {
  read: 'health.view',
  write: 'health.record',
})

/** The day it is, as the portal counts days: in UTC, the countries' own time. */
export const today = () => new Date().toISOString().slice(0, 10)

/** How many of some visits fall on the seven days that end with `until`. */
export function inLastWeek(recorded: readonly { data: Pick<Visit, 'date'> }[], until: string): number {
  const first = new Date(Date.parse(`${until}T00:00:00Z`) - 6 * 24 * 3600 * 1000).toISOString().slice(0, 10)
  return recorded.filter(({ data: { date } }) => date >= first && date <= until).length
}
