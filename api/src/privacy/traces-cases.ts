import { type RawBuilder, sql } from 'kysely'
import type { Person } from './person.service.ts'
import { inOrder, maskedUnless, rowsOf, type Sight, type Trace, what } from './trace.ts'

/** Consultations `t` on her cases, and those to which she was asked as an expert. */
const asked = (p: Person) =>
  sql`(t.case_id = any(${p.case_ids}::bigint[]) or t.id = any(${p.referral_ids}::bigint[]))`

/** A text of a consultation, masked where it is of a case that whoever exports may not read. */
const textOf =
  (column: string, caseId: RawBuilder<unknown>) =>
  ({ case_ids }: Person, { cases }: Sight) =>
    maskedUnless(sql`(${cases} or ${caseId} = any(${case_ids}::bigint[]))`, column)

/** Cases that the owner said are about the person: their texts go, numbers and days stay for the statistics. */
export const caseTraces: Trace[] = [
  {
    table: 'cases',
    what: what.cases,
    read: rowsOf((p) => sql`cases t where t.id = any(${p.case_ids}::bigint[])`),
    erase: inOrder(
      (p) => sql`update cases set title = '—', description = '—', plaintiff = null, verdict = null
        where id = any(${p.case_ids}::bigint[])`,
    ),
    stays: {
      en: 'number, kind, state and days of a case',
      fr: 'le numéro, le type, l’état et les jours d’un dossier',
    },
  },
  {
    table: 'case_events',
    what: what.cases,
    read: rowsOf((p) => sql`case_events t where t.case_id = any(${p.case_ids}::bigint[])`),
    erase: inOrder(
      (p) => sql`update case_events set note = null where case_id = any(${p.case_ids}::bigint[])`,
    ),
    stays: { en: 'who acted and when', fr: 'qui a agi et quand' },
  },
  {
    table: 'referrals',
    what: what.cases,
    read: rowsOf((p) => sql`referrals t where ${asked(p)}`, textOf('comment', sql`t.case_id`)),
    erase: inOrder(
      (p) => sql`update referrals set comment = '—' where case_id = any(${p.case_ids}::bigint[])`,
      (p) => sql`update referrals set first_name = '—', last_name = '—', email = '—', profession = '—'
        where id = any(${p.referral_ids}::bigint[])`,
    ),
    stays: {
      en: 'when an expert was asked, and which one until the expert is erased',
      fr: 'quand un avis a été demandé, et à quel expert tant que celui-ci n’est pas effacé',
    },
  },
  {
    table: 'referral_notes',
    what: what.cases,
    read: rowsOf(
      (p) => sql`referral_notes t where t.referral_id in (select t.id from referrals t where ${asked(p)})`,
      textOf('note', sql`(select r.case_id from referrals r where r.id = t.referral_id)`),
    ),
    erase: inOrder(
      (p) => sql`update referral_notes n set note = '—' from referrals r
        where r.id = n.referral_id and r.case_id = any(${p.case_ids}::bigint[])`,
    ),
    stays: {
      en: 'that the expert answered; the answer is a text of the case',
      fr: 'que l’expert a répondu ; sa réponse est un texte du dossier',
    },
  },
  {
    table: 'case_documents',
    what: what.cases,
    read: rowsOf(
      (p) =>
        sql`case_documents t join files f on f.id = t.file_id where t.case_id = any(${p.case_ids}::bigint[])`,
      sql`jsonb_build_object('file', f.name)`,
    ),
    erase: inOrder(
      (p) => sql`update case_documents set description = '—' where case_id = any(${p.case_ids}::bigint[])`,
    ),
    stays: { en: 'that there was a document', fr: 'qu’il y avait une pièce' },
  },
]
