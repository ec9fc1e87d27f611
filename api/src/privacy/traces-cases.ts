import { sql } from 'kysely'
import { inOrder, rowsOf, type Trace } from './trace.ts'

/** Cases that the owner said are about the person: their texts go, numbers and days stay for the statistics. */
export const caseTraces: Trace[] = [
  {
    table: 'cases',
    read: rowsOf((p) => sql`cases t where t.id = any(${p.case_ids}::bigint[])`),
    erase: inOrder(
      (p) => sql`update cases set title = '—', description = '—', plaintiff = null, verdict = null
        where id = any(${p.case_ids}::bigint[])`,
    ),
    stays: 'number, kind, state and days of a case',
  },
  {
    table: 'case_events',
    read: rowsOf((p) => sql`case_events t where t.case_id = any(${p.case_ids}::bigint[])`),
    erase: inOrder(
      (p) => sql`update case_events set note = null where case_id = any(${p.case_ids}::bigint[])`,
    ),
    stays: 'who acted and when',
  },
  {
    table: 'referrals',
    read: rowsOf((p) => sql`referrals t where t.case_id = any(${p.case_ids}::bigint[])`),
    erase: inOrder(
      (p) => sql`update referrals set comment = '—' where case_id = any(${p.case_ids}::bigint[])`,
    ),
    stays: 'which expert was asked and when',
  },
  {
    table: 'referral_notes',
    read: rowsOf(
      (p) =>
        sql`referral_notes t join referrals r on r.id = t.referral_id where r.case_id = any(${p.case_ids}::bigint[])`,
    ),
    erase: inOrder(
      (p) => sql`update referral_notes n set note = '—' from referrals r
        where r.id = n.referral_id and r.case_id = any(${p.case_ids}::bigint[])`,
    ),
    stays: 'that the expert answered',
  },
  {
    table: 'case_documents',
    read: rowsOf(
      (p) =>
        sql`case_documents t join files f on f.id = t.file_id where t.case_id = any(${p.case_ids}::bigint[])`,
      sql`jsonb_build_object('file', f.name)`,
    ),
    erase: inOrder(
      (p) => sql`update case_documents set description = '—' where case_id = any(${p.case_ids}::bigint[])`,
    ),
    stays: 'that there was a document',
  },
]
