import type { ImportKind } from '@portal/contracts/imports'
import { sql } from 'kysely'
import type { Person } from './person.service.ts'
import { hiddenFrom, inOrder, maskedUnless, mayRead, rowsOf, type Sight, type Trace, what } from './trace.ts'
import { picturesOf } from './traces-records.ts'

/** Whether `r`, a row of an uploaded file, is about the person. */
const staged = ({ staged: { imports, rows } }: Person) =>
  sql`(r.import_id, r."row") in (select * from unnest(${imports}::bigint[], ${rows}::int[]))`

/** Whether `t`, a cell of an uploaded file, is of a column that whoever exports may see. */
const seen = (sight: Sight) => sql`t."column" <> all(${hiddenFrom(sight)})`

/** Masks these columns of `t`, which an import has, where it is of records that whoever exports may not read. */
const imported =
  (...columns: string[]) =>
  (_: Person, sight: Sight) =>
    maskedUnless(
      sql`exists (select from imports m where m.id = t.import_id
        and (m.kind <> 'module-records' or ${mayRead(sight, sql`concat(m.params->>'module', '/', m.params->>'collection')`)}))`,
      ...columns,
    )

/** Uploaded files with their rows, messages of devices, exports. */
export const fileTraces: Trace[] = [
  {
    table: 'import_changes',
    what: what.files,
    read: rowsOf(
      (p, sight) =>
        sql`import_changes t where ${seen(sight)} and exists (select from import_changes r where r.id = t.id and ${staged(p)})`,
      imported('old_value', 'new_value'),
    ),
    erase: inOrder((p) => sql`delete from import_changes r where ${staged(p)}`),
  },
  {
    table: 'import_corrections',
    what: what.files,
    read: rowsOf(
      (p, sight) =>
        sql`import_corrections t where ${seen(sight)} and exists (select from import_corrections r where r.id = t.id and ${staged(p)})`,
      imported('old_value', 'new_value'),
    ),
    erase: inOrder(
      (p) => sql`update import_corrections r set old_value = null, new_value = null where ${staged(p)}`,
    ),
    stays: {
      en: 'who corrected which cell: correctors may not approve the list',
      fr: 'qui a corrigé quelle cellule : qui corrige une liste ne peut pas l’approuver',
    },
  },
  {
    table: 'import_errors',
    what: what.files,
    read: rowsOf(
      (p, sight) =>
        sql`import_errors t where ${seen(sight)} and exists (select from import_errors r where r.id = t.id and ${staged(p)})`,
      imported('value', 'message'),
    ),
    erase: inOrder((p) => sql`delete from import_errors r where ${staged(p)}`),
  },
  {
    table: 'import_rows',
    what: what.files,
    read: rowsOf(
      (p) => sql`import_rows t join imports i on i.id = t.import_id where exists (
        select from import_rows r where r.import_id = t.import_id and r."row" = t."row" and ${staged(p)})`,
      (p, sight) => sql`jsonb_build_object('file', i.file_name, 'cells', t.cells - ${hiddenFrom(sight)},
        'entry', t.entry - ${hiddenFrom(sight)}) || ${imported('key', 'cells', 'entry')(p, sight)}`,
    ),
    erase: inOrder((p) => sql`delete from import_rows r where ${staged(p)}`),
  },
  {
    table: 'files',
    what: what.files,
    read: rowsOf(
      (p) => sql`files t where t.id in (${filesOf(p)} union ${uncertainFilesOf(p)})`,
      (p) => sql`jsonb_build_object('certain', t.id in (${filesOf(p)}))`,
    ),
    erase: inOrder(
      (p) =>
        sql`update files set dropped_at = now() where id in (${filesOf(p)} union ${uncertainFilesOf(p)})`,
      (p) =>
        sql`update files set name = '—' where id in (
          select file_id from case_documents where case_id = any(${p.case_ids}::bigint[]) union ${evidenceOf(p)})`,
    ),
    stays: {
      en: 'name, size and hash of a file, without its content',
      fr: 'le nom, la taille et l’empreinte d’un fichier, sans son contenu',
    },
  },
  {
    table: 'exports',
    what: what.exports,
    read: rowsOf((p) => sql`exports t where t.user_id = ${p.user_id}`),
    // Any stored export may contain the person. Whoever needs one asks for it again.
    // None begins until the erasure has ended: it would be written from the registers of before.
    erase: inOrder(
      () => sql`lock table exports in share row exclusive mode`,
      () => sql`delete from exports`,
    ),
  },
  {
    table: 'synced_messages',
    what: what.messages,
    read: rowsOf((p) => sql`synced_messages t where portal_search(t.data::text) ~ ${p.marks}`),
    erase: inOrder(
      (
        p,
      ) => sql`update synced_messages set data = '{}', error = null, processed_at = coalesce(processed_at, now())
        where portal_search(data::text) ~ ${p.marks}`,
    ),
    stays: {
      en: 'that a message came, so that it is not counted twice',
      fr: 'qu’un message est arrivé, pour qu’il ne compte pas deux fois',
    },
  },
]

/** Files whose content is about the person: uploads, statements and files for banks with a row of hers, documents of her cases and of her payments. */
const filesOf = (p: Person) => sql`
  select file_id from imports where id = any(${p.staged.imports}::bigint[])
  union select s.file_id from agency_statements s join statement_findings f on f.statement_id = s.id
    join transfer_payrolls e on e.id = f.payroll_id where e.master_list_id = any(${p.list_ids}::bigint[])
  union select file_id from case_documents where case_id = any(${p.case_ids}::bigint[])
  union select unnest(array[b.file_id, r.file_id]) from bank_files b left join bank_answers r on r.bank_file_id = b.id
    join bank_file_payments o on o.bank_file_id = b.id join payment_attempts a on a.id = o.attempt_id
    join transfer_payrolls e on e.id = a.payroll_id where e.master_list_id = any(${p.list_ids}::bigint[])
  union ${evidenceOf(p)}
  union select unnest(array[t.file_id, t.small_file_id]) from record_pictures t where ${picturesOf(p)}`

/** Kinds of imports whose files may have a row of such a person. */
const kindsOf = ({ student_ids, parent_ids, teacher_ids, email }: Person): ImportKind[] => [
  'module-records',
  ...(student_ids.length > 0 ? (['students', 'parents', 'target-list'] as const) : []),
  ...(parent_ids.length > 0 ? (['parents', 'target-list'] as const) : []),
  ...(teacher_ids.length > 0 ? (['teachers'] as const) : []),
  ...(email === null ? [] : (['partners'] as const)),
]

/**
 * Uploads that may have a row of hers: nobody knows any more who is in the rows that were unchanged, of an import that wrote
 * nothing, or deleted after some time. Rows of a list are known as long as the list is. Whoever needs such a file sends it again.
 */
const uncertainFilesOf = (p: Person) => sql`
  select i.file_id from imports i join files f on f.id = i.file_id
  where f.dropped_at is null and i.kind = any(${kindsOf(p)}::text[]) and (i.state in ('failed', 'cancelled')
    or i.state = 'imported' and i.rows_read > greatest((select count(*) from import_rows r where r.import_id = i.id),
      (select c.master_list_count from transfer_cohorts c where c.import_id = i.id)))`

/** Documents with which payments to her were settled. */
function evidenceOf(p: Person) {
  return sql`select n.document_id from payment_settlements n join payment_attempts a on a.id = n.attempt_id
    join transfer_payrolls e on e.id = a.payroll_id where e.master_list_id = any(${p.list_ids}::bigint[])`
}
