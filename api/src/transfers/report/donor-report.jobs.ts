import type { Locale } from '@portal/contracts/sentences'
import { sql } from 'kysely'
import { work } from '../../kit/jobs/jobs.ts'
import type { Context } from '../../kit/process/context.ts'
import { reportJob } from './counted-reports.service.ts'
import { countDonorReport } from './donor-report.service.ts'

type Task = {
  id: number
  locale: Locale
  from: string
  to: string
  cap: number | null
  agency: number | null
  moment: string
}

/** Registers the job that counts reports, one at a time: each reads millions of payments. */
export function workReports(context: Context) {
  work<{ id: number }>(reportJob, (data, signal) => countReport(context, data.id, signal))
}

/** Counts a report and keeps it. After a crash the job runs again and starts over. */
async function countReport({ db }: Context, id: number, signal: AbortSignal): Promise<void> {
  const { rows } = await sql<Task>`
    update counted_reports set state = 'counting', payments_done = 0 where id = ${id} and state <> 'ready'
    returning id, locale, from_day::text as "from", to_day::text as "to", cap_id as cap, agency_id as agency, now() as moment`.execute(
    db,
  )
  const [task] = rows
  if (!task) return
  const { locale, from, to, cap, agency, moment } = task
  const filters = { from, to, ...(cap && { cap }), ...(agency && { transfer_agency_id: agency }) }
  try {
    const report = await countDonorReport(db, locale, filters, async (done) => {
      signal.throwIfAborted()
      await sql`update counted_reports set payments_done = least(${done}::bigint, payments_total) where id = ${id}`.execute(
        db,
      )
    })
    await sql`
      update counted_reports set state = 'ready', payments_done = payments_total, report = ${JSON.stringify(report)}::jsonb, counted_at = ${moment}
      where id = ${id}`.execute(db)
  } catch (error) {
    // Another worker has taken it over, and says how it ends.
    if (signal.aborted) return
    await sql`update counted_reports set state = 'failed' where id = ${id}`.execute(db)
    throw error
  }
}
