import { type RawBuilder, sql } from 'kysely'
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

/** By what registers and accounts know a person. */
const fields = [
  'student_code',
  'student_assigned_id',
  'admission_number',
  'parent_assigned_id',
  'contact_1',
  'contact_2',
  'phone_1',
  'email',
]

/** SQL: whether the entry `a` of the log is about a record of hers. */
const isHerEntry = ({ user_id, student_ids, parent_ids, teacher_ids }: Records) =>
  sql`(a.auditable_type = 'student' and a.auditable_id = any(${student_ids}::bigint[])
    or a.auditable_type = 'parent' and a.auditable_id = any(${parent_ids}::bigint[])
    or a.auditable_type = 'teacher' and a.auditable_id = any(${teacher_ids}::bigint[])
    or a.auditable_type = 'user' and a.auditable_id = any(${user_id === null ? [] : [user_id]}::bigint[]))`

/** SQL: whether the cell `c` of the import `i` is of a record of hers. */
const isHerCell = ({ student_ids, parent_ids, teacher_ids }: Records) =>
  sql`(i.kind = 'students' and c.subject_id = any(${student_ids}::bigint[])
    or i.kind = 'parents' and c.subject_id = any(${parent_ids}::bigint[])
    or i.kind = 'teachers' and c.subject_id = any(${teacher_ids}::bigint[]))`

/**
 * SQL: codes, numbers and e-mails that somebody changed by hand (`entries`) or by an import (`cells`), as they were before. A
 * partner's e-mail is none: another one there is another person.
 */
const replaced = (entries: RawBuilder<unknown>, cells: RawBuilder<unknown>) => sql`(
  select v.value from audits a join audit_values w on w.audit_id = a.id cross join lateral jsonb_each_text(w.old_values) v
  where a.event = 'updated' and a.auditable_type in ('student', 'parent', 'teacher', 'user')
    and w.old_values ?| ${fields}::text[] and v.key = any(${fields}::text[]) and v.value <> '' and ${entries}
  union all
  select c.old_value from import_changes c join imports i on i.id = c.import_id
  where i.kind in ('students', 'parents', 'teachers') and i.state = 'imported'
    and c."column" = any(${fields}::text[]) and c.old_value <> '' and ${cells})`

/** Codes, numbers and e-mails that a person had before, as the log and the imports have them. They may be somebody else's by now. */
export async function formerValues(db: Reader, person: Records): Promise<string[]> {
  const { student_ids, parent_ids, teacher_ids } = person
  const ids = [...student_ids, ...parent_ids, ...teacher_ids]
  // The ids alone first, by their index: every page of a person asks this.
  const cells = sql`c.subject_id = any(${ids}::bigint[]) and ${isHerCell(person)}`
  const { rows } = await sql<{ value: string }>`
    select distinct r.value from ${replaced(isHerEntry(person), cells)} r order by 1`.execute(db)
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
    and not exists (select from ${replaced(sql`not ${isHerEntry(person)}`, sql`not ${isHerCell(person)}`)} r where portal_search(r.value) ~ f.pattern)
    -- Whom lists pay by this number. Most recipients have no record.
    and not exists (select from transfer_cohorts c join transfer_master_list m on m.cohort_id = c.id and m.receiver_phone_number = f.value
      where m.id <> all(${list_ids}::bigint[]))
    and not exists (select from recipient_corrections c where c.master_list_id <> all(${list_ids}::bigint[])
      and f.value in (c.old_values->>'receiver_phone_number', c.new_values->>'receiver_phone_number'))`.execute(
    db,
  )
  return rows.map(({ value }) => value)
}
