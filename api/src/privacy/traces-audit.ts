import { type RawBuilder, sql } from 'kysely'
import { eraseAudit } from '../kit/audit.ts'
import { portal } from '../kit/session.ts'
import type { Person } from './person.service.ts'
import { rowsOf, type Trace, what } from './trace.ts'
import { recordsOf } from './traces-files.ts'

/** What a field leads to that has this kind of key, by the id in the data of a deleted record. */
const ledTo = (key: string, ids: number[]) =>
  sql`f.name like ${key} and d.old_values->>substring(f.name from '^[^@>]+') = any(${ids}::text[])`

/** Records of modules that named her, or referred to her or to a case about her, when somebody deleted them: the log has their data. */
const deletedRecordsOf = ({ marks, student_ids, case_ids }: Person) =>
  sql`select e.auditable_id from audits e join audit_values d on d.audit_id = e.id
    where e.auditable_type = 'module record' and e.event = 'deleted' and (portal_search(d.old_values::text) ~ ${marks}
      or exists (select from module_record_fields f
        where f.module = d.old_values->>'module' and f.collection = d.old_values->>'collection'
          and (${ledTo('%>student', student_ids)} or ${ledTo('%>case', case_ids)})))`

/**
 * Entries about the person and about records of modules that know her, and entries whose values name her: by her codes and
 * numbers, or as corrections of a file with a row of hers. They are read while the records are there. The hash of an approved list
 * stays, because the ledger compares with it.
 */
const aboutHer = (p: Person) => sql`audits t join audit_values w on w.audit_id = t.id
  where w.erased_at is null and not (t.event = 'approved' and t.auditable_type = 'cohort') and (
    t.auditable_type = 'student' and t.auditable_id = any(${p.student_ids}::bigint[])
    or t.auditable_type = 'parent' and t.auditable_id = any(${p.parent_ids}::bigint[])
    or t.auditable_type = 'teacher' and t.auditable_id = any(${p.teacher_ids}::bigint[])
    or t.auditable_type = 'user' and t.auditable_id = ${p.user_id}
    or t.auditable_type = 'case' and t.auditable_id = any(${p.case_ids}::bigint[])
    or t.auditable_type = 'referral' and t.auditable_id in (select id from referrals where case_id = any(${p.case_ids}::bigint[])
      or id = any(${p.referral_ids}::bigint[]))
    or t.auditable_type = 'module record' and t.auditable_id in (${recordsOf(p)} union ${deletedRecordsOf(p)})
    or t.auditable_type = 'import' and t.event = 'corrected' and t.auditable_id = any(${p.staged.imports}::bigint[])
    or portal_search(concat_ws(' ', w.old_values, w.new_values)) ~ ${p.marks})`

const isCorrected = sql`(t.auditable_type = 'import' and t.event = 'corrected')`

/** The keys `row 2`, `row 3` … of an entry of corrected cells that are about her: one entry has all rows of a call. */
const rowsOfHers = ({ marks, staged: { imports, rows } }: Person, values: RawBuilder<unknown>) =>
  sql`(select jsonb_object_agg(c.key, c.value) from jsonb_each(${values}) c
    where (t.auditable_id, c.key) in (select s.id, 'row ' || s.n from unnest(${imports}::bigint[], ${rows}::int[]) s (id, n))
      or portal_search(c.value::text) ~ ${marks})`

/** The values that are about her, without those of others. */
const herValues = (p: Person, values: RawBuilder<unknown>) =>
  sql`case when ${isCorrected} then ${rowsOfHers(p, values)} else ${values} end`

const oldValues = sql`w.old_values`
const newValues = sql`w.new_values`

export const auditTraces: Trace[] = [
  {
    table: 'audits',
    what: what.log,
    read: (db, p, keys) =>
      rowsOf(
        (person) => sql`${aboutHer(person)} and (not ${isCorrected}
          or num_nonnulls(${rowsOfHers(person, oldValues)}, ${rowsOfHers(person, newValues)}) > 0)`,
        sql`jsonb_build_object('old_values', ${herValues(p, oldValues)}, 'new_values', ${herValues(p, newValues)})`,
      )(db, p, keys),
    async erase(tx, person) {
      const { rows } = await sql<{ id: number }>`select t.id from ${aboutHer(person)} order by t.id`.execute(
        tx,
      )
      for (const { id } of rows) await eraseAudit(tx, portal, id)
    },
    stays: {
      en: 'who did what and when, with the hash of the values: the chain of the log is never broken',
      fr: 'qui a fait quoi et quand, avec l’empreinte des valeurs : la chaîne du journal n’est jamais rompue',
    },
  },
]
