import type { PersonKind } from '@portal/contracts/access/person-data'
import { type RawBuilder, sql } from 'kysely'
import { isOwnCase } from '../cases/case-readers.service.ts'
import type { Reader } from '../kit/database/db.ts'
import type { Actor } from '../kit/http/session.ts'
import { formerValues, unsharedOf } from './former-values.service.ts'
import { isTelling, markOf, patternOf, wordsOf } from './marks.ts'

/**
 * By what a command names a person: a student by her code, a guardian by the assigned id, a teacher by the number of the
 * record, a user and an expert by e-mail.
 */
export type PersonName = { by: PersonKind; name: string }
/** A page names her by the number of her record; that of an expert is the number of a consultation. */
export type PersonRecord = { by: PersonKind; id: number }

/** A person with everything by which the portal's tables know her. */
export type Person = {
  /** The thing that the audit log speaks of. */
  subject: { type: 'student' | 'parent' | 'teacher' | 'user' | 'referral'; id: number }
  /** Null for an expert: a consultation has a name, and there is no person in the registers. */
  user_id: number | null
  /** First and last name. */
  name: string
  email: string | null
  /** Addresses to which letters to her went: the e-mail, and those that she alone had before. */
  addresses: string[]
  active_account: boolean
  student_ids: number[]
  parent_ids: number[]
  teacher_ids: number[]
  partner_ids: number[]
  /** Consultations to which she was asked as an expert. */
  referral_ids: number[]
  /** Rows of target lists: of the student herself, or those that pay the guardian. */
  list_ids: number[]
  /** Rows of uploaded files, as two lists of one length. */
  staged: { imports: number[]; rows: number[] }
  /** Cases that the owner says are about this person. */
  case_ids: number[]
  /** A regular expression that finds the person's codes, numbers and e-mail in a text, in lower case, also those that she alone had before. */
  marks: string
  /** The same with the name, first name first or last. It also finds namesakes. */
  mentions: string
}

/**
 * SQL: whether a request to erase is on this person, by the record that it names. What the log calls her may be another record by now.
 */
export const isRequestOn = ({ user_id, student_ids, parent_ids, teacher_ids, referral_ids }: Person) =>
  sql`(kind, record_id) in (select 'student', unnest(${student_ids}::bigint[])
    union all select 'guardian', unnest(${parent_ids}::bigint[]) union all select 'teacher', unnest(${teacher_ids}::bigint[])
    union all select 'user', ${user_id}::bigint union all select 'expert', unnest(${referral_ids}::bigint[]))`

type Found = Pick<
  Person,
  | 'user_id'
  | 'email'
  | 'active_account'
  | 'student_ids'
  | 'parent_ids'
  | 'teacher_ids'
  | 'partner_ids'
  | 'referral_ids'
> & { first_name: string; last_name: string; names: (string | null)[] }

/** Rows of `users` as `u`, by the name of a person. */
const wanted: Record<PersonKind, (name: string) => RawBuilder<unknown>> = {
  student: (code) => sql`u.id in (select user_id from students where student_code = ${code})`,
  guardian: (id) => sql`u.id in (select user_id from parents where parent_assigned_id = ${id})`,
  teacher: (id) => sql`u.id in (select user_id from teachers where id::text = ${id})`,
  user: (email) => sql`u.email = lower(${email})`,
  // An expert who has an account, too, is one person.
  expert: (email) => sql`u.email = lower(${email})`,
}

/** The same by the number of a record. A record whose person was erased is nobody's. */
const recorded: Record<Exclude<PersonKind, 'expert'>, (id: number) => RawBuilder<unknown>> = {
  student: (id) => sql`u.id in (select user_id from students where id = ${id}) and u.last_name <> '—'`,
  guardian: (id) => sql`u.id in (select user_id from parents where id = ${id})`,
  teacher: (id) => sql`u.id in (select user_id from teachers where id = ${id})`,
  user: (id) => sql`u.id = ${id} and u.account and u.last_name <> '—'`,
}

/** Finds a person, and with her what is known of her. `caseIds` are the cases that are about her. */
export async function findPerson(
  db: Reader,
  named: PersonName | PersonRecord,
  caseIds: number[] = [],
): Promise<Person | undefined> {
  const found = 'name' in named ? await byName(db, named) : await byRecord(db, named)
  return found && withTraces(db, found, caseIds)
}

const byName = async (db: Reader, { by, name }: PersonName) =>
  (await findRegistered(db, wanted[by](name))) ?? (by === 'expert' ? findExpert(db, name) : undefined)

async function byRecord(db: Reader, { by, id }: PersonRecord): Promise<Found | undefined> {
  if (by !== 'expert') return findRegistered(db, recorded[by](id))
  const { rows } = await sql<{ email: string }>`
    select email from referrals where id = ${id} and email <> '—'`.execute(db)
  return rows[0] && byName(db, { by, name: rows[0].email })
}

async function findRegistered(db: Reader, condition: RawBuilder<unknown>): Promise<Found | undefined> {
  const { rows } = await sql<Found>`
    select u.id as user_id, u.first_name, u.last_name, u.email, u.account and u.deactivated_at is null as active_account,
      (select coalesce(jsonb_agg(id order by id), '[]') from students where user_id = u.id) as student_ids,
      (select coalesce(jsonb_agg(id order by id), '[]') from parents where user_id = u.id) as parent_ids,
      (select coalesce(jsonb_agg(id order by id), '[]') from teachers where user_id = u.id) as teacher_ids,
      (select coalesce(jsonb_agg(id order by id), '[]') from partners where user_id = u.id) as partner_ids,
      (select coalesce(jsonb_agg(id order by id), '[]') from referrals where lower(email) = u.email) as referral_ids,
      array(select unnest(array[student_code, student_assigned_id, admission_number]) from students where user_id = u.id)
        || array(select unnest(array[parent_assigned_id, contact_1, contact_2]) from parents where user_id = u.id)
        || array(select phone_1 from teachers where user_id = u.id) || u.email as names
    from users u where ${condition}`.execute(db)
  return rows[0]
}

/** Experts answer through a link, so that only their consultations know them. The latest one has the name. */
async function findExpert(db: Reader, email: string): Promise<Found | undefined> {
  const { rows } = await sql<Pick<Found, 'first_name' | 'last_name' | 'email' | 'referral_ids'>>`
    select (array_agg(first_name order by id desc))[1] as first_name, (array_agg(last_name order by id desc))[1] as last_name,
      lower(email) as email, jsonb_agg(id order by id) as referral_ids
    from referrals where lower(email) = lower(${email}) group by lower(email)`.execute(db)
  const [expert] = rows
  if (!expert) return undefined
  const none = { student_ids: [], parent_ids: [], teacher_ids: [], partner_ids: [] }
  return { user_id: null, active_account: false, ...none, ...expert, names: [expert.email] }
}

async function withTraces(db: Reader, registered: Found, caseIds: number[]): Promise<Person> {
  const now = registered.names.flatMap((text) => text ?? [])
  const former = (await formerValues(db, registered)).filter((value) => !now.includes(value))
  const referral_ids = await consultationsOf(db, registered, former)
  const found = { ...registered, referral_ids }
  const { first_name, last_name, names: _, ...known } = found
  const list_ids = await listRows(db, found, former)
  const own = await unsharedOf(db, { ...found, list_ids }, former.filter(isTelling))
  const marks = [...now.filter(isTelling), ...own].map(markOf)
  const names = [`${first_name} ${last_name}`, `${last_name} ${first_name}`].map(wordsOf)
  const person = {
    ...known,
    name: `${first_name} ${last_name}`,
    subject: subjectOf(found),
    addresses: [known.email ?? [], own.filter((value) => value.includes('@'))].flat(),
    list_ids,
    case_ids: caseIds,
    marks: patternOf(marks),
    mentions: patternOf([...names, ...marks]),
    staged: { imports: [], rows: [] },
  }
  return { ...person, staged: await stagedRows(db, person) }
}

/** Her consultations, also those under an e-mail of before that have her name: another expert may have that address now. */
async function consultationsOf(db: Reader, found: Found, former: string[]): Promise<number[]> {
  const { referral_ids, first_name, last_name } = found
  if (former.length === 0) return referral_ids
  const { rows } = await sql<{ id: number }>`
    select id from referrals where lower(email) = any(${former}::text[])
      and portal_search(first_name || ' ' || last_name) = portal_search(${`${first_name} ${last_name}`})`.execute(
    db,
  )
  return [...new Set([...referral_ids, ...rows.map(({ id }) => id)])].sort((a, b) => a - b)
}

const subjectOf = ({
  user_id,
  student_ids,
  parent_ids,
  teacher_ids,
  referral_ids,
}: Found): Person['subject'] => {
  if (student_ids[0] !== undefined) return { type: 'student', id: student_ids[0] }
  if (parent_ids[0] !== undefined) return { type: 'parent', id: parent_ids[0] }
  if (teacher_ids[0] !== undefined) return { type: 'teacher', id: teacher_ids[0] }
  return user_id === null ? { type: 'referral', id: referral_ids[0] ?? 0 } : { type: 'user', id: user_id }
}

async function listRows(db: Reader, { student_ids, parent_ids }: Found, former: string[]): Promise<number[]> {
  const numbers = sql`any(array[p.contact_1, p.contact_2] || ${former}::text[])`
  const { rows } = await sql<{ id: number }>`
    select m.id from transfer_master_list m where m.student_id = any(${student_ids}::bigint[])
    union
    select m.id from transfer_master_list m join parent_students k on k.student_id = m.student_id
      join parents p on p.id = k.parent_id join users u on u.id = p.user_id
      -- Whom the row pays, as the list was approved and as it was corrected since.
      cross join lateral (
        select m.receiver_phone_number as phone, m.receiver_first_name || ' ' || m.receiver_last_name as name
        union all
        select c.new_values->>'receiver_phone_number', concat_ws(' ', c.new_values->>'receiver_first_name', c.new_values->>'receiver_last_name')
        from recipient_corrections c where c.master_list_id = m.id and c.state = 'approved') r
    where p.id = any(${parent_ids}::bigint[]) and (r.phone in (p.contact_1, p.contact_2)
      or portal_search(r.name) = portal_search(u.first_name || ' ' || u.last_name))
    union
    -- Rows of girls who have another guardian now, by a number of today or before. It may have been somebody else's, so they have her
    -- name as well.
    select r.id from parents p join users u on u.id = p.user_id cross join lateral (
        select m.id, m.receiver_first_name || ' ' || m.receiver_last_name as name
        from transfer_cohorts c join transfer_master_list m on m.cohort_id = c.id and m.receiver_phone_number = ${numbers}
        union all
        select c.master_list_id, concat_ws(' ', c.new_values->>'receiver_first_name', c.new_values->>'receiver_last_name')
        from recipient_corrections c where c.state = 'approved' and c.new_values->>'receiver_phone_number' = ${numbers}) r
    where p.id = any(${parent_ids}::bigint[]) and portal_search(r.name) = portal_search(u.first_name || ' ' || u.last_name)
    order by id`.execute(db)
  return rows.map(({ id }) => id)
}

/**
 * Cases by their numbers, and the first number that no case has. For a person who asks, a case that she may not read is none
 * (Cases 2.1), unless its number was shown to her.
 */
export async function findCases(
  db: Reader,
  numbers: string[],
  asking?: Pick<Actor, 'id' | 'can'>,
  shown: string[] = [],
): Promise<{ ids: number[]; missing: string | undefined }> {
  const readable =
    !asking || asking.can('cases.view')
      ? sql`true`
      : sql`(${isOwnCase(asking.id)} or c.number = any(${shown}::text[]))`
  const { rows } = await sql<{ id: number; number: string }>`
    select c.id, c.number from cases c where c.number = any(${numbers}) and ${readable}`.execute(db)
  const missing = numbers.find((number) => !rows.some((row) => row.number === number))
  return { ids: rows.map(({ id }) => id), missing }
}

type Known = Pick<Person, 'student_ids' | 'parent_ids' | 'teacher_ids' | 'partner_ids' | 'list_ids' | 'marks'>

/**
 * Rows of imports that have something of hers. A row is deleted earlier than what it changed, what was corrected in it and the list
 * that it made, so each of them is looked at. Changes of other students are not searched for her marks: there are millions.
 */
export async function stagedRows(db: Reader, known: Known) {
  const { student_ids, parent_ids, teacher_ids, partner_ids, list_ids, marks } = known
  const ids = [...student_ids, ...parent_ids, ...teacher_ids, ...partner_ids]
  const isHers = sql`(i.kind = 'students' and r.subject_id = any(${student_ids}::bigint[])
    or i.kind = 'parents' and r.subject_id = any(${parent_ids}::bigint[])
    or i.kind = 'teachers' and r.subject_id = any(${teacher_ids}::bigint[])
    or i.kind = 'partners' and r.subject_id = any(${partner_ids}::bigint[]))`
  const { rows } = await sql<{ import_id: number; row: number }>`
    select r.import_id, r."row" from import_rows r join imports i on i.id = r.import_id
    where ${isHers} or portal_search(concat_ws(' ', r.cells, r.entry, r.key)) ~ ${marks}
    union
    select r.import_id, r."row" from import_changes r join imports i on i.id = r.import_id
    where r.subject_id = any(${ids}::bigint[]) and ${isHers}
    union
    -- From the imports, each by its index: of a whole register the changes of students are most of this table.
    select r.import_id, r."row" from imports i cross join lateral (
        select c.import_id, c."row", c.old_value, c.new_value from import_changes c where c.import_id = i.id offset 0) r
    where i.kind <> 'students' and portal_search(concat_ws(' ', r.old_value, r.new_value)) ~ ${marks}
    union
    select c.import_id, m."row" from transfer_master_list m join transfer_cohorts c on c.id = m.cohort_id
    where m.id = any(${list_ids}::bigint[])
    union
    select import_id, "row" from import_corrections where portal_search(concat_ws(' ', old_value, new_value)) ~ ${marks}
    union
    select import_id, "row" from import_errors where portal_search(concat_ws(' ', value, message)) ~ ${marks}
    order by import_id, "row"`.execute(db)
  return { imports: rows.map(({ import_id }) => import_id), rows: rows.map(({ row }) => row) }
}
