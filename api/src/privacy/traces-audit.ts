import { type RawBuilder, sql } from 'kysely'
import { asSeen, isOfCase, withReadableRecords } from '../access/audit-reader.service.ts'
import { audit, eraseAudit } from '../kit/audit/audit.ts'
import type { Reader } from '../kit/database/db.ts'
import { portal } from '../kit/http/session.ts'
import type { Person } from './person.service.ts'
import { rowsOf, type Trace, what } from './trace.ts'
import { recordsOf } from './traces-records.ts'

/** SQL: whether a deleted record referred to one of these ids by field `f`, whose key is like `key`. */
const ledTo = (key: string, ids: number[]) =>
  sql`f.name like ${key} and d.old_values->>substring(f.name from '^[^@>]+') = any(${ids}::text[])`

/** Records of modules that named her, or referred to her or to a case about her, when somebody deleted them: the log has their data. */
const deletedRecordsOf = ({ marks, student_ids, case_ids }: Person) =>
  sql`select e.auditable_id from audits e join audit_values d on d.audit_id = e.id
    where e.auditable_type = 'module record' and e.event = 'deleted' and (portal_search(d.old_values::text) ~ ${marks}
      or exists (select from module_record_fields f
        where f.module = d.old_values->>'module' and f.collection = d.old_values->>'collection'
          and (${ledTo('%>student', student_ids)} or ${ledTo('%>case', case_ids)})))`

/** The event of an entry that takes the place of an erased one, and keeps the corrected cells of other people’s rows. */
const kept = 'corrections kept'
const isCorrected = sql`(t.auditable_type = 'import' and t.event in ('corrected', ${kept}))`

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
    or ${isCorrected} and t.auditable_id = any(${p.staged.imports}::bigint[])
    or portal_search(concat_ws(' ', w.old_values, w.new_values)) ~ ${p.marks})`

/** The keys `row 2`, `row 3` … of an entry of corrected cells that are about her: one entry has all rows of a call. */
const rowsOfHers = (p: Person, values: RawBuilder<unknown>) =>
  sql`(select jsonb_object_agg(c.key, c.value) from jsonb_each(${values}) c where ${isHers(p)})`

/** The rows of others in such an entry. */
const rowsOfOthers = (p: Person, values: RawBuilder<unknown>) =>
  sql`(select jsonb_object_agg(c.key, c.value) from jsonb_each(${values}) c
    where c.key like 'row %' and c.key not in (
      select c.key from jsonb_each(w.old_values) c where ${isHers(p)}
      union select c.key from jsonb_each(w.new_values) c where ${isHers(p)}))`

const isHers = ({ marks, staged: { imports, rows } }: Person) =>
  sql`((t.auditable_id, c.key) in (select s.id, 'row ' || s.n from unnest(${imports}::bigint[], ${rows}::int[]) s (id, n))
    or portal_search(c.value::text) ~ ${marks})`

/** The values that are about her, without those of others. */
const herValues = (p: Person, values: RawBuilder<unknown>) =>
  sql`case when ${isCorrected} then ${rowsOfHers(p, values)} else ${values} end`

const oldValues = sql`w.old_values`
const newValues = sql`w.new_values`

/** All these entries; of corrected cells only those with a row of hers. */
const hersOnly = (p: Person) => sql`${aboutHer(p)} and (not ${isCorrected}
  or num_nonnulls(${rowsOfHers(p, oldValues)}, ${rowsOfHers(p, newValues)}) > 0)`

type Values = Record<string, unknown>
type Entry = {
  event: string
  auditable_type: string
  auditable_id: number
  old_values: Values | null
  new_values: Values | null
}

const readHers = rowsOf(
  hersOnly,
  (p) =>
    sql`jsonb_build_object('old_values', ${herValues(p, oldValues)}, 'new_values', ${herValues(p, newValues)})`,
)

const subjectOf = ({
  auditable_type: type,
  auditable_id: id,
}: Pick<Entry, 'auditable_type' | 'auditable_id'>) => `${type} ${id}`

/** The cases that whoever exports has named, and may read, with their consultations. */
async function namedSubjects(db: Reader, { case_ids }: Person): Promise<ReadonlySet<string>> {
  const { rows } = await sql<Omit<Entry, 'event'>>`
    select 'case' as auditable_type, id as auditable_id from unnest(${case_ids}::bigint[]) id
    union all select 'referral', id from referrals where case_id = any(${case_ids}::bigint[])`.execute(db)
  return new Set(rows.map(subjectOf))
}

type Erased = { id: number; import_id: number; entry: number; old: Values | null; new: Values | null }

export const auditTraces: Trace[] = [
  {
    table: 'audits',
    what: what.log,
    async read(db, p, keys, sight) {
      const found = (await readHers(db, p, keys, sight)) as Entry[]
      const named = await namedSubjects(db, p)
      // Whoever may not read a case or a record sees that it was changed, as on the page of the log (Access 6.6).
      const entries = sight.records === 'all' ? found : await withReadableRecords(db, found, sight.records)
      return entries.map((entry) =>
        asSeen(entry, {
          sensitive: sight.sensitive,
          texts: sight.cases || !isOfCase(entry) || named.has(subjectOf(entry)),
        }),
      )
    },
    async erase(tx, person) {
      const { rows } = await sql<Erased>`
        select t.id, t.auditable_id as import_id, coalesce(w.new_values->'entry', to_jsonb(t.id)) as entry,
          case when ${isCorrected} then ${rowsOfOthers(person, oldValues)} end as old,
          case when ${isCorrected} then ${rowsOfOthers(person, newValues)} end as new
        from ${hersOnly(person)} order by t.id`.execute(tx)
      for (const { id, import_id, entry, old, new: now } of rows) {
        await eraseAudit(tx, portal, id)
        // An entry is emptied as a whole. The one that it names keeps who corrected the cells of the others, and when.
        if (old ?? now) await audit(tx, portal, kept, 'import', import_id, { old, new: { ...now, entry } })
      }
    },
    stays: {
      en: 'who did what and when, with the hash of the values: the chain of the log is never broken',
      fr: 'qui a fait quoi et quand, avec l’empreinte des valeurs : la chaîne du journal n’est jamais rompue',
    },
  },
]
