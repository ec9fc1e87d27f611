import type { AnswerOf, QueryOf } from '@portal/contracts/endpoint'
import type { Page } from '@portal/contracts/fields'
import { feesOf } from '@portal/contracts/transfers/rounds'
import {
  type LeftOut,
  type LeftOutReason,
  leftOutReasons,
  mostSchools,
  type Selection,
  type targetSelection,
} from '@portal/contracts/transfers/target-selection'
import { type RawBuilder, sql } from 'kysely'
import { type Db, rows } from '../../kit/database/db.ts'
import { matches, paged } from '../../kit/database/paging.ts'
import { classKeys } from '../../sync/class-keys.service.ts'
import { classAttendance } from '../attendance/class-attendance.ts'

/** The day in UTC, which is the time of both countries. */
const today = sql`(now() at time zone 'utc')::date`

type Counted = AnswerOf<typeof targetSelection.count>

/** SQL: whether a school `sc` of region `g` lies in the place of a selection. */
const placed = ({ region, cap }: Selection) =>
  sql`((${region ?? null}::bigint is null or g.id = ${region ?? null}) and (${cap ?? null}::bigint is null or sc.cap_id = ${cap ?? null}))`

const schoolTables = sql`schools sc join caps c on c.id = sc.cap_id join academies a on a.id = c.academy_id
  join regions g on g.id = a.region_id`

/** SQL: a number of the country, as the register writes numbers (E.164). */
const ofCountry = (number: RawBuilder<unknown>, country: Selection['country']) =>
  sql`coalesce(${number} like ${country === 'ml' ? '+223________' : '+221_________'}, false)`

/** SQL: a guardian `p` has a number of the country. */
const hasNumber = (country: Selection['country']) =>
  sql`(${ofCountry(sql`p.contact_1`, country)} or ${ofCountry(sql`p.contact_2`, country)})`

/** SQL: the students of the places and levels of a selection, with their school `sc` and person `u`. */
function wanted(selection: Selection) {
  const { levels = [] } = selection
  return {
    from: sql`students s join users u on u.id = s.user_id join ${schoolTables} on sc.id = s.school_id`,
    where: [
      inPlace(selection),
      ...(levels.length > 0 ? [sql`s.current_class_level = any(${levels}::text[])`] : []),
    ],
  }
}

/** SQL: the ids of the schools of a selection. */
const schoolsOf = (selection: Selection) => sql`select sc.id from ${schoolTables} where ${inPlace(selection)}`

/** SQL: the conditions of a selection on a school `sc` of region `g`. */
const inPlace = (selection: Selection) => {
  const { country, schools = [] } = selection
  const chosen = schools.length > 0 ? sql`and sc.id = any(${schools}::bigint[])` : sql``
  return sql`(g.country = ${country} and ${placed(selection)} ${chosen})`
}

/**
 * SQL: whether student `s` is in a class of which `w.share` were present. The classes do not depend on the student, so that
 * PostgreSQL finds them once and keeps them as a hash. Reports of schools that are not chosen are not read.
 */
const inClass = (
  selection: Selection,
  keys: RawBuilder<unknown>,
  share: RawBuilder<unknown>,
) => sql`coalesce(s.class_id in (
    select w.id from (${classAttendance({
      first: sql`(${today} - ${selection.attendance_days - 1}::int)`,
      last: today,
      schools: schoolsOf(selection),
      keys,
    })}) w where ${share}), false)`

/** Returns SQL: why student `s` is left out, or null. The order is that of `leftOutReasons`. */
async function reasonOf(db: Db, selection: Selection): Promise<RawBuilder<unknown>> {
  const { country, guardian, not_held, attendance } = selection
  const keys = attendance === undefined ? sql`` : await classKeys(db)
  const cases = [
    sql`when u.gender is distinct from 'female' then 'not_a_girl'`,
    guardian &&
      sql`when not exists (select from parent_students ps where ps.student_id = s.id) then 'no_guardian'`,
    guardian &&
      sql`when not exists (select from parent_students ps join parents p on p.id = ps.parent_id
        where ps.student_id = s.id and ${hasNumber(country)}) then 'no_number'`,
    not_held &&
      sql`when exists (select from payee_holds h where h.student_id = s.id and h.released_at is null
        and (h.ends_on is null or h.ends_on >= (now() at time zone 'utc')::date)) then 'held'`,
    attendance !== undefined &&
      sql`when not ${inClass(selection, keys, sql`w.share is not null`)} then 'attendance_unknown'`,
    attendance !== undefined &&
      sql`when not ${inClass(selection, keys, sql`w.share >= ${attendance}::int`)} then 'attendance_low'`,
  ].filter((part) => part !== undefined && part !== false)
  return sql`case ${sql.join(cases, sql` `)} end`
}

type Group = { id: number; name: string; placed: boolean; level: string; girls: number; others: number }

const isConditional = ({ guardian, not_held, attendance }: Selection) =>
  Boolean(guardian || not_held || attendance !== undefined)

/**
 * Counts the girls that remain at each step (Imports 4.5). One query reads each student once for the steps before the conditions, and
 * one more those of the chosen places if there is a condition.
 */
export async function countSelection(db: Db, query: QueryOf<typeof targetSelection.count>): Promise<Counted> {
  const { transfer_parameter_id, ...selection } = query
  const reason = await reasonOf(db, selection)
  const [groups, reasons, [parameter], [last]] = await Promise.all([
    rows(
      db,
      sql<Group>`
        select sc.id, sc.name, ${placed(selection)} as placed, coalesce(s.level, '') as level, s.girls, s.others
        from (select s.school_id, s.current_class_level as level, count(*) filter (where u.gender = 'female') as girls,
            count(*) filter (where u.gender is distinct from 'female') as others
            from students s join users u on u.id = s.user_id group by 1, 2) s
          join ${schoolTables} on sc.id = s.school_id
        where g.country = ${selection.country}
        order by sc.name collate "fr-x-icu", sc.id`,
    ),
    isConditional(selection) ? countReasons(db, selection, reason) : undefined,
    rows(
      db,
      sql<{ amount: number; hundredths: number }>`
        select amount, commission_hundredths as hundredths from transfer_parameters
        where id = ${transfer_parameter_id ?? null}::bigint and status = 'active'`,
    ),
    rows(db, lastCohort(selection, reason)),
  ])
  const counts = reasons ?? genders(chosenOf(groups, selection))
  const girls = counts.get(null) ?? 0
  return {
    ...stepsOf(groups, selection, girls),
    left_out: leftOutReasons.flatMap((reason) => {
      const count = counts.get(reason)
      return count ? [{ reason, count }] : []
    }),
    total: parameter
      ? { amount: girls * parameter.amount, fees: girls * feesOf(parameter.amount, parameter.hundredths) }
      : null,
    last: last ?? null,
  }
}

/**
 * SQL: the latest cohort that was made of the same selection, and how the girls have changed since. Its list is read only
 * if there is one.
 */
function lastCohort(selection: Selection, reason: RawBuilder<unknown>) {
  const { from, where } = wanted(selection)
  return sql<NonNullable<Counted['last']>>`
    with last as (select c.id, c.name, c.created_at from imports i join transfer_cohorts c on c.import_id = i.id
        where i.kind = 'target-list' and i.params->'selection' = ${JSON.stringify(selection)}::jsonb
          and c.imported_at is not null and c.status <> 'rejected' order by c.id desc limit 1),
      before as (select m.student_id from transfer_master_list m where m.cohort_id = (select id from last)),
      girls as (select s.id from ${from}
        where ${sql.join([...where, sql`${reason} is null`], sql` and `)})
    select last.id as cohort_id, last.name, last.created_at,
      (select count(*) from girls where not exists (select from before where before.student_id = girls.id)) as added,
      (select count(*) from before where not exists (select from girls where girls.id = before.student_id)) as gone
    from last`
}

type Reasons = Map<LeftOutReason | null, number>

/** How many students of a selection are left out for each reason, and how many are not (null). */
async function countReasons(db: Db, selection: Selection, reason: RawBuilder<unknown>): Promise<Reasons> {
  const { from, where } = wanted(selection)
  const counted = await rows(
    db,
    sql<{ reason: LeftOutReason | null; count: number }>`
      select ${reason} as reason, count(*) as count from ${from} where ${sql.join(where, sql` and `)} group by 1`,
  )
  return new Map(counted.map(({ reason, count }) => [reason, count]))
}

/** The same where nothing but being a girl is asked for. */
const genders = (chosen: readonly Group[]): Reasons =>
  new Map([
    [null, sumOf(chosen)],
    ['not_a_girl', chosen.reduce((all, { others }) => all + others, 0)],
  ])

/** The groups of the chosen place, schools and levels. */
const chosenOf = (groups: readonly Group[], { schools = [], levels = [] }: Selection) =>
  groups.filter(
    ({ placed, id, level }) =>
      placed &&
      (schools.length === 0 || schools.includes(id)) &&
      (levels.length === 0 || levels.includes(level)),
  )

/** The steps before the conditions, and what can be chosen at each. */
function stepsOf(all: readonly Group[], selection: Selection, conditions: number) {
  const groups = all.filter(({ girls }) => girls > 0)
  const place = groups.filter(({ placed }) => placed)
  const chosen = chosenOf(groups, { ...selection, levels: [] })
  const bySchool = new Map<number, { id: number; name: string; girls: number }>()
  for (const { id, name, girls } of place) {
    const found = bySchool.get(id)
    if (found) found.girls += girls
    else bySchool.set(id, { id, name, girls })
  }
  const byLevel = new Map<string, number>()
  for (const { level, girls } of chosen) byLevel.set(level, (byLevel.get(level) ?? 0) + girls)
  return {
    steps: {
      country: sumOf(groups),
      place: sumOf(place),
      schools: sumOf(chosen),
      levels: sumOf(chosenOf(groups, selection)),
      conditions,
    },
    schools: bySchool.size > mostSchools ? null : [...bySchool.values()],
    levels: [...byLevel]
      .map(([code, girls]) => ({ code, girls }))
      .sort((one, other) => one.code.localeCompare(other.code, 'fr', { numeric: true })),
  }
}

const sumOf = (groups: readonly Group[]) => groups.reduce((all, { girls }) => all + girls, 0)

/** The students whom a selection leaves out, of one reason or of all. */
export async function listLeftOut(
  db: Db,
  query: QueryOf<typeof targetSelection.leftOut>,
): Promise<Page<LeftOut>> {
  const { from, where } = wanted(query)
  const reason = await reasonOf(db, query)
  return paged<LeftOut>(db, query, {
    columns: sql`s.id, u.first_name, u.last_name, s.student_code, sc.name as school_name,
      s.current_class_level as class_level, ${reason} as reason`,
    from,
    // Few may be left out, so no order finds them early: all students of the selection are compared, once.
    narrow: from,
    planned: true,
    compared: true,
    where: [
      ...where,
      query.reason ? sql`${reason} = ${query.reason}` : sql`${reason} is not null`,
      matches(sql`s.search`, query.search),
    ],
    sort: { last_name: sql`s.person collate "fr-x-icu"`, student_code: sql`s.student_code` },
    order: 'last_name',
    key: sql`s.id`,
  })
}

/** A row of the file: the girl and her recipient. Who has no guardian has no recipient either. */
export type SelectedGirl = {
  student_code: string
  first_name: string | null
  last_name: string | null
  phone: string | null
}

const atOnce = 2000

/**
 * Reads the girls of a selection with their recipients, by school and name. Which girls they are is decided by the first
 * statement alone; the rows are read two thousand at a time, so that they are never in memory together.
 *
 * The recipient is the first guardian in the order of the register who has a number of the country, with the first such
 * number. If none has one, it is the first guardian with what number there is, which the review then shows as wrong.
 */
export async function* readSelected(db: Db, selection: Selection): AsyncGenerator<SelectedGirl> {
  const { from, where } = wanted(selection)
  const { country } = selection
  const reason = await reasonOf(db, selection)
  const [found] = await rows(
    db,
    sql<{ ids: number[] | null }>`
      select array_agg(s.id order by sc.name collate "fr-x-icu", sc.id, s.person collate "fr-x-icu", s.id) as ids
      from ${from} where ${sql.join([...where, sql`${reason} is null`], sql` and `)}`,
  )
  const ids = found?.ids ?? []
  for (let at = 0; at < ids.length; at += atOnce)
    yield* await rows(
      db,
      sql<SelectedGirl>`
        select s.student_code, r.first_name, r.last_name, r.phone
        from unnest(${ids.slice(at, at + atOnce)}::bigint[]) with ordinality o (id, n)
          join students s on s.id = o.id
          left join lateral (
            select u.first_name, u.last_name,
              case when ${ofCountry(sql`p.contact_1`, country)} then p.contact_1
                when ${ofCountry(sql`p.contact_2`, country)} then p.contact_2
                else coalesce(p.contact_1, p.contact_2) end as phone
            from parent_students ps join parents p on p.id = ps.parent_id join users u on u.id = p.user_id
            where ps.student_id = s.id order by ${hasNumber(country)} desc, p.id limit 1) r on true
        order by o.n`,
    )
}
