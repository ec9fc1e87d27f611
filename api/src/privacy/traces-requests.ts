import { sql } from 'kysely'
import { isRequestOn } from './person.service.ts'
import { inOrder, rowsOf, type Trace, what } from './trace.ts'

/** Requests to erase the person, with their reasons. */
export const requestTraces: Trace[] = [
  {
    table: 'erasure_requests',
    what: what.requests,
    read: rowsOf((p) => sql`erasure_requests t where ${isRequestOn(p)}`),
    erase: inOrder(
      (
        p,
      ) => sql`update erasure_requests set reason = '—', decision = case when decision is not null then '—' end,
          bars = '[]' where ${isRequestOn(p)}`,
    ),
    stays: {
      en: 'who asked and who decided, and when',
      fr: 'qui a demandé et qui a décidé, et quand',
    },
  },
]
