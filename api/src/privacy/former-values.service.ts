import { type RawBuilder, sql } from 'kysely'
import type { Reader } from '../kit/database/db.ts'
import { markOf, patternOf } from './marks.ts'

/** The records of a person. */
type Records = {
  user_id: number | null
  student_ids: number[]
  parent_ids: number[]
  teacher_ids: number[]
  referral_ids: number[]
}

/** By what registers and accounts know a person. The indexes of migration 108 have these names in this order. */
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

/** SQL: `fields` as the indexes name them. With a parameter in their place the database cannot tell that an index has what it needs. */
const named = sql.raw(`array[${fields.map((field) => `'${field}'`).join(', ')}]::text[]`)

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

/** SQL: entries of the log with their values. Those of one person are found by what they are about. */
const entriesOfOne = sql`audits a join audit_values w on w.audit_id = a.id`
/** Those of everybody are found by their values: few entries have such fields, and most have others that changed. */
const entriesOfAll = sql`(select audit_id, old_values from audit_values where old_values ?| ${named} offset 0) w
  cross join lateral (select * from audits where id = w.audit_id offset 0) a`

/**
 * SQL: codes, numbers and e-mails that somebody changed by hand (`log` with `entries`) or by an import (`cells`), as they were before.
 * A partner's e-mail is none: another one there is another person.
 */
const replaced = (log: RawBuilder<unknown>, entries: RawBuilder<unknown>, cells: RawBuilder<unknown>) => sql`(
  select v.value from ${log} cross join lateral jsonb_each_text(w.old_values) v
  where a.event = 'updated' and a.auditable_type in ('student', 'parent', 'teacher', 'user')
    and w.old_values ?| ${named} and v.key = any(${named}) and v.value <> '' and ${entries}
  union all
  select c.old_value from import_changes c join imports i on i.id = c.import_id
  where i.kind in ('students', 'parents', 'teachers') and i.state = 'imported'
    and c."column" = any(${named}) and c.old_value <> '' and ${cells})`

/** Codes, numbers and e-mails that a person had before, as the log and the imports have them. They may be somebody else's by now. */
export async function formerValues(db: Reader, person: Records): Promise<string[]> {
  const { student_ids, parent_ids, teacher_ids } = person
  const ids = [...student_ids, ...parent_ids, ...teacher_ids]
  // The ids alone first, by their index: every page of a person asks this.
  const cells = sql`c.subject_id = any(${ids}::bigint[]) and ${isHerCell(person)}`
  const { rows } = await sql<{ value: string }>`
    select distinct r.value from ${replaced(entriesOfOne, isHerEntry(person), cells)} r order by 1`.execute(
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
  const given = sql`unnest(${values}::text[], ${patterns}::text[])`
  const { rows } = await sql<{ value: string }>`
    select f.value from ${given} f (value, pattern)
    where not exists (select from students s where s.search ~ f.pattern and s.id <> all(${student_ids}::bigint[]))
    and not exists (select from parents p where p.search ~ f.pattern and p.id <> all(${parent_ids}::bigint[]))
    and not exists (select from teachers t where t.search ~ f.pattern and t.id <> all(${teacher_ids}::bigint[]))
    and not exists (select from users u where u.search ~ f.pattern and u.id is distinct from ${user_id}::bigint)
    and not exists (select from referrals r where portal_search(r.email) ~ f.pattern and r.id <> all(${referral_ids}::bigint[]))
    -- Once for all values, and not for each.
    and f.value not in (select g.value from ${replaced(entriesOfAll, sql`not ${isHerEntry(person)}`, sql`not ${isHerCell(person)}`)} r join ${given} g (value, pattern) on portal_search(r.value) ~ g.pattern)
    -- Whom lists pay by this number. Most recipients have no record.
    and not exists (select from transfer_cohorts c join transfer_master_list m on m.cohort_id = c.id and m.receiver_phone_number = f.value
      where m.id <> all(${list_ids}::bigint[]))
    and not exists (select from recipient_corrections c where c.master_list_id <> all(${list_ids}::bigint[])
      and f.value in (c.old_values->>'receiver_phone_number', c.new_values->>'receiver_phone_number'))`.execute(
    db,
  )
  return rows.map(({ value }) => value)
}
