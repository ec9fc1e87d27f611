import { sql } from 'kysely'
import type { Reader } from '../kit/db.ts'
import { markOf, patternOf } from './marks.ts'

/** The records of a person. */
type Records = {
  user_id: number | null
  student_ids: number[]
  parent_ids: number[]
  teacher_ids: number[]
  referral_ids: number[]
}

/** By what a register knows a person. */
const fields = {
  student: ['student_code', 'student_assigned_id', 'admission_number'],
  parent: ['parent_assigned_id', 'contact_1', 'contact_2'],
  teacher: ['phone_1', 'email'],
  user: ['email'],
}
const allFields = [...new Set(Object.values(fields).flat())]

/** SQL: whether `type` and `id` are a record of hers. */
const isHers = ({ user_id, student_ids, parent_ids, teacher_ids }: Records, type: string, id: string) =>
  sql`(${sql.ref(type)}, ${sql.ref(id)}) in (
    select 'student', unnest(${student_ids}::bigint[]) union all select 'parent', unnest(${parent_ids}::bigint[])
    union all select 'teacher', unnest(${teacher_ids}::bigint[]) union all select 'user', ${user_id}::bigint)`

/**
 * SQL: codes, numbers and e-mails that records had before somebody changed them by hand or by an import, as `type`, `id` and `value`.
 * A partner's e-mail is none: another one there is another person.
 */
const replaced = sql`(
  select a.auditable_type as type, a.auditable_id as id, v.value
  from audits a join audit_values w on w.audit_id = a.id cross join lateral jsonb_each_text(w.old_values) v
  where a.event = 'updated' and a.auditable_type in ('student', 'parent', 'teacher', 'user') and v.key = any(${allFields}::text[])
  union all
  select rtrim(i.kind, 's'), c.subject_id, c.old_value from import_changes c join imports i on i.id = c.import_id
  where i.kind in ('students', 'parents', 'teachers') and i.state = 'imported' and c."column" = any(${allFields}::text[]))`

/** Codes, numbers and e-mails that a person had before, as the log and the imports have them. They may be somebody else's by now. */
export async function formerValues(db: Reader, person: Records): Promise<string[]> {
  const { rows } = await sql<{ value: string }>`
    select distinct r.value from ${replaced} r where ${isHers(person, 'r.type', 'r.id')} and r.value <> '' order by 1`.execute(
    db,
  )
  return rows.map(({ value }) => value)
}

/**
 * Those of these values that nobody else has or had: a code may be given to another girl, and a number be passed on. Texts with such
 * a value may be about the other one, so they stay.
 */
export async function unsharedOf(
  db: Reader,
  person: Records & { list_ids: number[] },
  values: string[],
): Promise<string[]> {
  if (values.length === 0) return []
  const { user_id, student_ids, parent_ids, teacher_ids, referral_ids, list_ids } = person
  const patterns = values.map((value) => patternOf([markOf(value)]))
  const { rows } = await sql<{ value: string }>`
    select f.value from unnest(${values}::text[], ${patterns}::text[]) f (value, pattern)
    where not exists (select from students s where s.search ~ f.pattern and s.id <> all(${student_ids}::bigint[]))
    and not exists (select from parents p where p.search ~ f.pattern and p.id <> all(${parent_ids}::bigint[]))
    and not exists (select from teachers t where t.search ~ f.pattern and t.id <> all(${teacher_ids}::bigint[]))
    and not exists (select from users u where u.search ~ f.pattern and u.id is distinct from ${user_id}::bigint)
    and not exists (select from referrals r where portal_search(r.email) ~ f.pattern and r.id <> all(${referral_ids}::bigint[]))
    and not exists (select from ${replaced} r where portal_search(r.value) ~ f.pattern and not ${isHers(person, 'r.type', 'r.id')})
    -- Whom lists pay by this number. Most recipients have no record.
    and not exists (select from transfer_cohorts c join transfer_master_list m on m.cohort_id = c.id and m.receiver_phone_number = f.value
      where m.id <> all(${list_ids}::bigint[]))
    and not exists (select from recipient_corrections c where c.master_list_id <> all(${list_ids}::bigint[])
      and f.value in (c.old_values->>'receiver_phone_number', c.new_values->>'receiver_phone_number'))`.execute(
    db,
  )
  return rows.map(({ value }) => value)
}
