import { sql } from 'kysely'
import { inOrder, rowsOf, type Trace, what } from './trace.ts'

/** Requests to erase the person, with their reasons. */
export const requestTraces: Trace[] = [
  {
    table: 'erasure_requests',
    what: what.requests,
    read: rowsOf(
      ({ subject }) =>
        sql`erasure_requests t where t.subject_type = ${subject.type} and t.subject_id = ${subject.id}`,
    ),
    erase: inOrder(
      ({
        subject,
      }) => sql`update erasure_requests set reason = '—', decision = case when decision is not null then '—' end,
          bars = '[]' where subject_type = ${subject.type} and subject_id = ${subject.id}`,
    ),
    stays: {
      en: 'who asked and who decided, and when',
      fr: 'qui a demandé et qui a décidé, et quand',
    },
  },
]
