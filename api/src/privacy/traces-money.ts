import { sql } from 'kysely'
import { openNames } from '../transfers/names/name-answers.service.ts'
import type { Person } from './person.service.ts'
import { inOrder, rowsOf, type Trace, what } from './trace.ts'

const needed = {
  en: 'amounts, fees, days, references and outcomes: accounting law, and the ledger verifies them',
  fr: 'les montants, frais, jours, références et résultats : le droit comptable les exige, et le contrôle des comptes les vérifie',
}
const cohort = sql`jsonb_build_object('cohort', c.name, 'from', c."from", 'to', c."to")`

/** What was paid. `erase_recipients` empties the recipients of lists and payments and notes the hashes of the lists. */
export const moneyTraces: Trace[] = [
  {
    table: 'transfer_master_list',
    what: what.payments,
    read: rowsOf(
      (p) =>
        sql`transfer_master_list t join transfer_cohorts c on c.id = t.cohort_id where t.id = any(${p.list_ids}::bigint[])`,
      cohort,
    ),
    erase: inOrder((p) => sql`select erase_recipients(${p.list_ids}::bigint[], ${p.student_ids.length > 0})`),
    stays: needed,
  },
  {
    table: 'transfer_payrolls',
    what: what.payments,
    read: rowsOf(
      (p) => sql`transfer_payrolls t join transfer_payroll_groups g on g.id = t.payroll_group_id
        join transfer_cohorts c on c.id = g.cohort_id where t.master_list_id = any(${p.list_ids}::bigint[])`,
      sql`${cohort} || jsonb_build_object('round', g.n, 'due_on', g.due_on)`,
    ),
    stays: needed,
  },
  {
    table: 'payment_attempts',
    what: what.payments,
    read: rowsOf(
      (p) => sql`payment_attempts t join transfer_payrolls p on p.id = t.payroll_id
        where p.master_list_id = any(${p.list_ids}::bigint[])`,
      sql`jsonb_build_object('reference', p.reference)`,
    ),
    stays: needed,
  },
  {
    table: 'money_events',
    what: what.payments,
    read: rowsOf(
      (p) => sql`money_events t join transfer_payrolls p on p.id = t.payroll_id
        where p.master_list_id = any(${p.list_ids}::bigint[])`,
      sql`jsonb_build_object('reference', p.reference)`,
    ),
    stays: needed,
  },
  {
    table: 'payment_write_offs',
    what: what.payments,
    read: rowsOf(
      (p) => sql`payment_write_offs t join transfer_payrolls p on p.id = t.payroll_id
        where p.master_list_id = any(${p.list_ids}::bigint[])`,
      sql`jsonb_build_object('reference', p.reference)`,
    ),
    stays: [
      needed,
      {
        en: 'the reason of a write-off, which nobody can change',
        fr: 'le motif d’un passage en perte, que personne ne peut modifier',
      },
    ],
  },
  {
    table: 'recipient_corrections',
    what: what.payments,
    read: rowsOf((p) => sql`recipient_corrections t where t.master_list_id = any(${p.list_ids}::bigint[])`),
    erase: inOrder(
      (
        p,
      ) => sql`update recipient_corrections set old_values = '{}', new_values = '{}', reason = '—', comment = null
        where master_list_id = any(${p.list_ids}::bigint[])`,
    ),
    stays: { en: 'who corrected and who agreed', fr: 'qui a corrigé et qui a approuvé' },
  },
  {
    table: 'name_answers',
    what: what.payments,
    read: async (db, p, keys) => {
      const { rows } = await sql<{ names: Buffer; outcome: string; agency: string; answered_at: string }>`
        select a.names, a.outcome, g.name as agency, a.answered_at from name_answers a
        join transfer_agencies g on g.id = a.agency_id where ${isAnswerAbout(p)} order by a.id`.execute(db)
      return rows.map(({ names, ...row }) => ({ ...row, ...openNames(keys, names) }))
    },
    erase: inOrder((p) => sql`delete from name_answers a where ${isAnswerAbout(p)}`),
  },
  {
    table: 'name_answer_rows',
    what: what.payments,
    read: rowsOf((p) => sql`name_answer_rows t where t.master_list_id = any(${p.list_ids}::bigint[])`),
    erase: inOrder(
      (p) => sql`delete from name_answer_rows where master_list_id = any(${p.list_ids}::bigint[])`,
    ),
  },
  {
    table: 'payee_holds',
    what: what.payments,
    read: rowsOf((p) => sql`payee_holds t where t.student_id = any(${p.student_ids}::bigint[])`),
    erase: inOrder((p) => sql`delete from payee_holds where student_id = any(${p.student_ids}::bigint[])`),
  },
  {
    table: 'payment_exceptions',
    what: what.payments,
    read: rowsOf(
      (p) => sql`payment_exceptions t join transfer_payrolls p on p.id = t.payroll_id
      where p.master_list_id = any(${p.list_ids}::bigint[])`,
    ),
    erase: inOrder(
      (
        p,
      ) => sql`update payment_exceptions e set expected = null, answered = 'erased ' || e.id from transfer_payrolls p
        where p.id = e.payroll_id and e.kind = 'recipient' and p.master_list_id = any(${p.list_ids}::bigint[])`,
      (p) => sql`update payment_exceptions e set decision_reason = '—' from transfer_payrolls p
        where p.id = e.payroll_id and e.resolved and p.master_list_id = any(${p.list_ids}::bigint[])`,
    ),
    stays: {
      en: 'that an answer of the agency did not agree',
      fr: 'qu’une réponse de l’agence ne concordait pas',
    },
  },
  {
    table: 'payment_settlements',
    what: what.payments,
    read: rowsOf(
      (
        p,
      ) => sql`payment_settlements t join payment_attempts a on a.id = t.attempt_id join transfer_payrolls p on p.id = a.payroll_id
        where p.master_list_id = any(${p.list_ids}::bigint[])`,
      sql`jsonb_build_object('reference', p.reference)`,
    ),
    erase: inOrder(
      (
        p,
      ) => sql`update payment_settlements t set reason = '—' from payment_attempts a join transfer_payrolls p on p.id = a.payroll_id
        where a.id = t.attempt_id and p.master_list_id = any(${p.list_ids}::bigint[])`,
    ),
    stays: {
      en: 'what an evidence was found to say, and who agreed',
      fr: 'ce qu’un justificatif a établi, et qui l’a approuvé',
    },
  },
  {
    table: 'sending_hold_differences',
    what: what.payments,
    read: rowsOf(
      (p) => sql`sending_hold_differences t join transfer_payrolls p on p.id = t.payroll_id
      where p.master_list_id = any(${p.list_ids}::bigint[])`,
    ),
    erase: inOrder(
      (p) => sql`update sending_hold_differences d set phone = null from transfer_payrolls p
        where p.id = d.payroll_id and p.master_list_id = any(${p.list_ids}::bigint[])`,
    ),
    stays: needed,
  },
  {
    table: 'statement_lines',
    what: what.payments,
    read: rowsOf((p) => sql`statement_lines t where ${isLineOf(p)}`),
    erase: inOrder(
      // Nobody knows the lines of a statement that was withdrawn or could not be read, and nobody needs its file any more.
      (p) => sql`update files set dropped_at = now() where dropped_at is null and id in (
        select s.file_id from agency_statements s where s.state in ('withdrawn', 'failed')
          or exists (select from statement_lines t where t.statement_id = s.id and ${isLineOf(p)}))`,
      (p) => sql`update statement_lines t set number = null, name = null where ${isLineOf(p)}`,
    ),
    stays: needed,
  },
  {
    table: 'statement_resolutions',
    what: what.payments,
    read: rowsOf((p) => sql`statement_resolutions t where portal_search(t.reason) ~ ${p.marks}`),
    stays: {
      en: 'why a difference of money was accepted: accounting law',
      fr: 'pourquoi un écart d’argent a été accepté : droit comptable',
    },
  },
]

/** Whether `a`, an answer of an agency, is about a number that the person was or would be paid by. */
const isAnswerAbout = (p: Person) => sql`a.id in (
  select l.answer_id from name_answer_rows l where l.master_list_id = any(${p.list_ids}::bigint[]))`

/** Whether `t`, a line of a statement, is about the person: it is of a payment of hers, or has her number. */
const isLineOf = (p: Person) => sql`(t.id in (
    select f.line_id from statement_findings f join transfer_payrolls p on p.id = f.payroll_id
    where p.master_list_id = any(${p.list_ids}::bigint[]))
  or portal_search(concat_ws(' ', t.number, t.name, t.problem)) ~ ${p.marks})`
