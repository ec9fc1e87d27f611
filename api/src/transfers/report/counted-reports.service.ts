import type { AnswerOf } from '@portal/contracts/endpoint'
import type { Locale } from '@portal/contracts/sentences'
import type {
  CountedReport,
  DonorReport,
  donorReport,
  ReportFilters,
} from '@portal/contracts/transfers/donor-report'
import { type RawBuilder, sql } from 'kysely'
import { audit } from '../../kit/audit/audit.ts'
import { type Db, type Reader, transaction } from '../../kit/database/db.ts'
import type { Actor } from '../../kit/http/session.ts'
import { enqueue } from '../../kit/jobs/jobs.ts'
import { readDonorReport } from './donor-report.service.ts'
import { effortOf } from './donor-report-sums.ts'

/** Name of the job that counts a report. */
export const reportJob = 'donor-report'

/** SQL: the row of a report. Every person who may see it finds the same one. */
const isOf = (
  locale: Locale,
  { from, to, cap, transfer_agency_id }: ReportFilters,
): RawBuilder<unknown> => sql`
  locale = ${locale} and from_day = ${from}::date and to_day = ${to}::date
    and cap_id is not distinct from ${cap ?? null}::bigint and agency_id is not distinct from ${transfer_agency_id ?? null}::bigint`

/** The report, of this moment if a call has the time for it; otherwise the one that was counted last, and how far the next one is. */
export async function readReport(
  db: Db,
  locale: Locale,
  filters: ReportFilters,
): Promise<AnswerOf<typeof donorReport.read>> {
  const { payments, atOnce } = await effortOf(db, filters)
  if (atOnce) return { report: await readDonorReport(db, locale, filters), counted: null }
  const { rows } = await sql<CountedReport & { report: DonorReport | null }>`
    select report, state, payments_total as payments, payments_done, counted_at
    from counted_reports where ${isOf(locale, filters)}`.execute(db)
  const [kept] = rows
  if (!kept) return { report: null, counted: { state: 'none', payments, payments_done: 0, counted_at: null } }
  const { report, ...counted } = kept
  return { report, counted }
}

/** Queues the counting of a report. Whoever asks for one that is being counted waits for that one. */
export function askForReport(db: Db, actor: Actor, locale: Locale, filters: ReportFilters): Promise<void> {
  return transaction(db, async (tx) => {
    const { payments } = await effortOf(tx, filters)
    // A job that was lost with all its tries does not bar the report for ever.
    const { rows } = await sql<{ id: number }>`
      insert into counted_reports as r (locale, from_day, to_day, cap_id, agency_id, payments_total)
      values (${locale}, ${filters.from}, ${filters.to}, ${filters.cap ?? null}, ${filters.transfer_agency_id ?? null}, ${payments})
      on conflict on constraint counted_reports_once do update
        set state = 'waiting', payments_done = 0, payments_total = excluded.payments_total, asked_at = now()
        where r.state in ('ready', 'failed') or r.asked_at < now() - interval '2 hours'
      returning id`.execute(tx)
    const [asked] = rows
    if (!asked) return
    await enqueue(tx, reportJob, { id: asked.id })
    await audit(tx, actor, 'counted', 'donor report', asked.id, { new: { ...filters } })
  })
}

/** Forgets reports that nobody has had counted for a month. */
export async function forgetCountedReports(db: Reader): Promise<void> {
  await sql`delete from counted_reports where asked_at < now() - interval '30 days'`.execute(db)
}
