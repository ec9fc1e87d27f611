import * as v from 'valibot'
import { day } from '../fields.ts'
import { orEmpty } from '../registers/register-fields.ts'

/** A day up to today, as the column of a file with `past` asks for. */
export const pastDay = v.pipe(
  day,
  v.check((date) => date <= new Date().toISOString().slice(0, 10), 'date_future'),
)
/** Such a day, or none. */
export const optionalPastDay = orEmpty(pastDay, 'date')
