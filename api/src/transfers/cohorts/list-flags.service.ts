import type { ListFlag, ListFlagKind } from '@portal/contracts/transfers/cohorts'
import { type RawBuilder, sql } from 'kysely'
import { type Db, rows, searchRows } from '../../kit/database/db.ts'
import { notFound } from '../../kit/http/refusals.ts'
import { attendancePeriod, schoolReports } from '../attendance/list-attendance.service.ts'

/** The most rows of one flag that an answer contains. The count includes the others. */
const shown = 200

const mine = (cohortId: number) => sql`transfer_master_list m where m.cohort_id = ${cohortId}`
const folded = (first: RawBuilder<unknown>, last: RawBuilder<unknown>) =>
  sql`portal_search(${first} || ' ' || ${last})`
const receiver = folded(sql`m.receiver_first_name`, sql`m.receiver_last_name`)
/** SQL: the recipient of a row, written as `person` of students and guardians is. */
const person = sql`m.receiver_last_name || ' ' || m.receiver_first_name`

/**
 * One query per flag. It returns the unusual rows of a list, each with its value and one to compare it with. A flag
 * refuses nothing: the approver looks at the rows and rejects the list if one is wrong.
 */
export const flagged: Record<ListFlagKind, (cohortId: number) => RawBuilder<unknown>> = {
  // The girl is on the list more than once, beside her other rows. New lists cannot have her twice, earlier ones can (Imports 4.2).
  girl_twice: (id) => sql`
    select m.id, null::text as "column", u.first_name || ' ' || u.last_name as value, (
      select string_agg(o."row"::text, ', ' order by o."row") from transfer_master_list o
      where o.cohort_id = ${id} and o.student_id = m.student_id and o.id <> m.id) as compared
    from (select student_id from ${mine(id)} group by student_id having count(*) > 1) twice
      join transfer_master_list m on m.cohort_id = ${id} and m.student_id = twice.student_id
      join students s on s.id = m.student_id join users u on u.id = s.user_id`,
  // The amount is more than three times that of the parameter.
  amount_parameter: (id) => sql`
    select m.id, null::text as "column", m.amount::text as value, p.amount::text as compared
    from transfer_master_list m join transfer_cohorts c on c.id = m.cohort_id
      join transfer_parameters p on p.id = c.transfer_parameter_id
    where m.cohort_id = ${id} and m.amount > 3 * p.amount`,
  // The amount is above Tukey's outer fence for this list. It must also be half as much again as the median, because a
  // list of equal amounts has no spread.
  amount_spread: (id) => sql`
    select m.id, null::text as "column", m.amount::text as value, s.middle::text as compared
    from transfer_master_list m join transfer_cohorts c on c.id = m.cohort_id
      join transfer_parameters p on p.id = c.transfer_parameter_id,
      (select percentile_disc(0.25) within group (order by amount) as low, percentile_disc(0.5) within group (order by amount) as middle,
        percentile_disc(0.75) within group (order by amount) as high from ${mine(id)}) s
    where m.cohort_id = ${id} and m.amount <= 3 * p.amount and m.amount > s.high + 3 * (s.high - s.low) and 2 * m.amount > 3 * s.middle`,
  // The student's grant was last paid to another number or account. Where a list has both, each is compared with its like. A payment
  // has the numbers of its row or of a correction of it, so most girls are left out without reading their payments.
  number_changed: (id) => sql`
    select m.id, null::text as "column", other.value, other.compared
    from (
      select m.id from transfer_master_list m join transfer_master_list l on l.student_id = m.student_id
      where m.cohort_id = ${id} and (l.receiver_phone_number is distinct from m.receiver_phone_number
        or l.receiver_account is distinct from m.receiver_account)
      union
      select m.id from recipient_corrections r join transfer_master_list l on l.id = r.master_list_id
        join transfer_master_list m on m.student_id = l.student_id
      where m.cohort_id = ${id}
    ) differing join transfer_master_list m on m.id = differing.id and m.cohort_id = ${id}, lateral (
      select p.receiver_account as account, p.receiver_phone_number as phone
      from transfer_master_list before join transfer_payrolls p on p.master_list_id = before.id and p.status = 'success'
      where before.student_id = m.student_id order by p.updated_at desc, p.id desc limit 1) paid,
    lateral (
      select value, compared from (values (1, m.receiver_account, paid.account), (2, m.receiver_phone_number, paid.phone),
        (3, coalesce(m.receiver_account, m.receiver_phone_number), case
          when (m.receiver_account is null or paid.account is null) and (m.receiver_phone_number is null or paid.phone is null)
          then coalesce(paid.account, paid.phone) end)) v (place, value, compared)
      where value <> compared order by place limit 1) other`,
  // The number begins like a fixed line or another country's number, or belongs to another operator than the agency's. The beginnings of
  // numbers are few, and only they are compared.
  number_range: (id) => sql`
    select r.id, null::text as "column", r.receiver_phone_number as value, r.range as compared
    from (
      with agency as materialized (
        select a.country, k.prefixes, 4 + greatest(3, (select max(length(x)) from unnest(k.prefixes) x)) as signs
        from transfer_cohorts c join transfer_agencies a on a.id = c.transfer_agency_id cross join lateral (
          select case when jsonb_typeof(a.details->'number_prefixes') = 'array'
            then array(select jsonb_array_elements_text(a.details->'number_prefixes')) end as prefixes) k
        where c.id = ${id}),
      numbers as materialized (
        select distinct left(m.receiver_phone_number, (select signs from agency)) as start from ${mine(id)}),
      ranges as materialized (
        select n.start, case
          when substr(n.start, 5) ~ '^22[0-9]' then 'other_country'
          when substr(n.start, 5) ~ case a.country when 'ml' then '^(20|21|44)' else '^3' end then 'fixed_line'
          when substr(n.start, 5) !~ case a.country when 'ml' then '^[5-9]' else '^7' end then 'no_known_range'
          when a.prefixes is not null and not exists (
            select from unnest(a.prefixes) x where starts_with(substr(n.start, 5), x)) then 'other_operator' end as range
        from numbers n cross join agency a)
      select m.id, m.receiver_phone_number, r.range from ranges r
        join transfer_master_list m on left(m.receiver_phone_number, (select signs from agency)) = r.start
      where m.cohort_id = ${id} and r.range is not null
    ) r`,
  // The name resembles neither a guardian of the student nor the student herself. Most names are equal to one of them, and are not
  // folded and compared by their trigrams. `offset 0` keeps it so: PostgreSQL thinks that folding costs nothing, and would fold all names first.
  name_unlike: (id) => sql`
    select m.id, null::text as "column", m.receiver_first_name || ' ' || m.receiver_last_name as value, g.name as compared
    from (
      select m.id, m.student_id, m.receiver_first_name, m.receiver_last_name, s.user_id
      from transfer_master_list m join students s on s.id = m.student_id and s.person <> ${person}
      where m.cohort_id = ${id} and not exists (
        select from parent_students l join parents k on k.id = l.parent_id where l.student_id = m.student_id and k.person = ${person})
      offset 0) m
      cross join lateral (
        select u.first_name || ' ' || u.last_name as name,
          similarity(${folded(sql`u.first_name`, sql`u.last_name`)}, ${receiver}) as likeness
        from parent_students l join parents k on k.id = l.parent_id join users u on u.id = k.user_id
        where l.student_id = m.student_id order by likeness desc, k.id limit 1) g
    where g.likeness < 0.2 and 0.6 > (
      select similarity(${folded(sql`own.first_name`, sql`own.last_name`)}, ${receiver}) from users own where own.id = m.user_id)`,
  // The cell was corrected in the review. It is compared with the value of the uploaded file.
  corrected: (id) => sql`
    select m.id, k."column", coalesce(k.now, '–') as value, coalesce(k.before, '–') as compared
    from (select "row", "column", (array_agg(old_value order by id))[1] as before, (array_agg(new_value order by id desc))[1] as now
        from import_corrections
        where "column" <> 'left_out' and import_id = (select import_id from transfer_cohorts where id = ${id}) group by "row", "column") k
      join transfer_master_list m on m.cohort_id = ${id} and m."row" = k."row"`,
  // The school reported no learners in the days before the decision, while others of the country did.
  silent_school: (id) => sql`
    select m.id, null::text as "column", sc.name as value, coalesce(r.last_report::text, 'never') as compared
    from transfer_master_list m join students s on s.id = m.student_id join schools sc on sc.id = s.school_id
      join (${schoolReports(id)}) r on r.school_id = s.school_id and r.silent
    where m.cohort_id = ${id} and exists (select from (${attendancePeriod(id)}) p where p.school_days > 0)`,
}

type Found = ListFlag['rows'][number] & { total: number }

/** Returns the flags that an approver should look at before the decision, each with its first rows (Money 5.8). */
export async function readFlags(db: Db, cohortId: number): Promise<ListFlag[]> {
  const found = await rows(db, sql`select from transfer_cohorts where id = ${cohortId}`)
  if (found.length === 0) throw notFound()
  const flags: ListFlag[] = []
  for (const [kind, find] of Object.entries(flagged) as [
    ListFlagKind,
    (id: number) => RawBuilder<unknown>,
  ][]) {
    // Planned for its values, because a list has fifteen rows or 150,000.
    const list = await searchRows(
      db,
      sql<Found>`
      select m."row", m.student_code, m.receiver_first_name, m.receiver_last_name, f."column", f.value, f.compared,
        count(*) over ()::int as total
      from (${find(cohortId)}) f join transfer_master_list m on m.id = f.id and m.cohort_id = ${cohortId} order by m."row" limit ${shown}`,
    )
    if (list[0]) flags.push({ kind, count: list[0].total, rows: list.map(({ total: _, ...row }) => row) })
  }
  return flags
}
