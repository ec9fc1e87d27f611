import type { AnswerOf, QueryOf } from '@portal/contracts/endpoint'
import { feesOf } from '@portal/contracts/transfers/rounds'
import {
  type LeftOutReason,
  leftOutReasons,
  mostSchools,
  type Selection,
  type SelectionSteps,
  type targetSelection,
} from '@portal/contracts/transfers/target-selection'
import { type RawBuilder, sql } from 'kysely'
import { type Db, rows, searchRows } from '../../kit/database/db.ts'
import {
  amongStudents,
  hasLevel,
  isNamed,
  isWanted,
  numberOf,
  onHold,
  placed,
  reasonOf,
  schoolsOf,
  schoolTables,
  sharesOf,
} from './selection-students.ts'

type Counted = AnswerOf<typeof targetSelection.count>

/** Counts the girls that remain at each step (Imports 4.5). It reads counts that are kept by class and level (decision 225). */
export async function countSelection(db: Db, query: QueryOf<typeof targetSelection.count>): Promise<Counted> {
  const { transfer_parameter_id, ...selection } = query
  const shares = await sharesOf(db, selection)
  const [steps, counts, [parameter], [last]] = await Promise.all([
    countSteps(db, selection),
    countReasons(db, selection, shares),
    rows(
      db,
      sql<{ amount: number; hundredths: number }>`
        select amount, commission_hundredths as hundredths from transfer_parameters
        where id = ${transfer_parameter_id ?? null}::bigint and status = 'active'`,
    ),
    searchRows(db, lastCohort(selection, shares)),
  ])
  const girls = counts.chosen
  const { school_choice, level_choice, ...before } = steps
  return {
    steps: { ...before, conditions: girls },
    schools: school_choice.length > mostSchools ? null : school_choice,
    levels: level_choice.sort((one, other) => one.code.localeCompare(other.code, 'fr', { numeric: true })),
    left_out: leftOutReasons.flatMap((reason) =>
      counts[reason] > 0 ? [{ reason, count: counts[reason] }] : [],
    ),
    total: parameter
      ? { amount: girls * parameter.amount, fees: girls * feesOf(parameter.amount, parameter.hundredths) }
      : null,
    last: last ? changedSince(last, girls) : null,
  }
}

type Steps = Omit<SelectionSteps, 'conditions'> & {
  /** One more than may be chosen where there are too many. */
  school_choice: { id: number; name: string; girls: number }[]
  level_choice: { code: string; girls: number }[]
}

/** The girls at the steps before the conditions, and what can be chosen at each. */
async function countSteps(db: Db, selection: Selection): Promise<Steps> {
  const found = await searchRows(
    db,
    sql<Steps>`
      with counts as (select school_id, level, sum(girls) as girls from student_counts_now group by 1, 2),
        girls as materialized (
          select sc.id, sc.name, k.level, k.girls, ${placed(selection)} as placed, ${isNamed(selection)} as named
          from counts k join ${schoolTables} on sc.id = k.school_id where g.country = ${selection.country} and k.girls > 0),
        schools as (select id, name, sum(girls) as girls from girls where placed group by 1, 2 limit ${mostSchools + 1}),
        levels as (select level as code, sum(girls) as girls from girls where placed and named group by 1)
      select coalesce(sum(girls), 0) as country, coalesce(sum(girls) filter (where placed), 0) as place,
        coalesce(sum(girls) filter (where placed and named), 0) as schools,
        coalesce(sum(girls) filter (where placed and named and ${hasLevel(selection, sql`level`)}), 0) as levels,
        coalesce((select json_agg(s order by s.name collate "fr-x-icu", s.id) from schools s), '[]') as school_choice,
        coalesce((select json_agg(l) from levels l), '[]') as level_choice
      from girls`,
  )
  if (!found[0]) throw new Error('The girls could not be counted')
  return found[0]
}

/** How many students of the chosen places and levels are left out for each reason, and how many girls are not. */
export type ReasonCounts = Record<LeftOutReason | 'chosen', number> & {
  /** All students of the register. */
  registered: number
  /** The schools in which somebody is left out, as PostgreSQL writes an array. */
  schools: string
}

/**
 * Counts by class, because attendance is that of a class. Holds are few and pass by themselves, so they are not in the counts that are kept:
 * girls on hold whom no earlier reason leaves out are looked for one by one.
 */
export async function countReasons(
  db: Db,
  selection: Selection,
  shares: RawBuilder<unknown>,
): Promise<ReasonCounts> {
  const { country, guardian, not_held, attendance } = selection
  const numbers = sql.ref(`numbers_${country}`)
  const free = guardian ? sql`st.girl and st.${numberOf[country]}` : sql`st.girl`
  const held = amongStudents(
    ({ from, where }) => sql`select st.school_id, st.class_id from ${from}
      where ${where} and st.student_id in (${onHold}) and ${isWanted(selection)} and ${free} and ${Boolean(not_held)}`,
  )
  const [found] = await searchRows(
    db,
    sql<ReasonCounts>`
      with ${shares}, places as materialized (${schoolsOf(selection)}),
        counted as (
          select school_id, class_id, sum(students) as students, sum(girls) as girls, sum(guardians) as guardians, sum(${numbers}) as numbers, 0 as held
          from student_counts_now where school_id in (select id from places) and ${hasLevel(selection, sql`level`)} group by 1, 2
          union all
          select school_id, class_id, 0, 0, 0, 0, count(*) from (${held}) held group by 1, 2),
        classes as (
          select school_id, class_id, sum(students - girls) as boys, sum(girls - guardians) as alone, sum(guardians - numbers) as unreached,
            sum(held) as held, sum(${guardian ? sql`numbers` : sql`girls`} - held) as rest
          from counted group by 1, 2),
        judged as (select k.*, case when ${attendance === undefined} then 'chosen' when w.share is null then 'unknown'
            when w.share < ${attendance ?? 0}::int then 'low' else 'chosen' end as class
          from classes k left join shares w on w.id = k.class_id)
      select coalesce(sum(boys), 0) as not_a_girl,
        ${guardian ? sql`coalesce(sum(alone), 0)` : sql`0`} as no_guardian, ${guardian ? sql`coalesce(sum(unreached), 0)` : sql`0`} as no_number,
        coalesce(sum(held), 0) as held, coalesce(sum(rest) filter (where class = 'unknown'), 0) as attendance_unknown,
        coalesce(sum(rest) filter (where class = 'low'), 0) as attendance_low, coalesce(sum(rest) filter (where class = 'chosen'), 0) as chosen,
        (select coalesce(sum(rows), 0) from list_totals where name = 'students') as registered,
        coalesce(array_agg(distinct school_id) filter (where boys > 0 or held > 0 or class <> 'chosen' or ${Boolean(guardian)} and (alone > 0 or unreached > 0)), '{}')::text as schools
      from judged`,
  )
  if (!found) throw new Error('The students could not be counted')
  return found
}

type Last = Omit<NonNullable<Counted['last']>, 'added' | 'gone'> & {
  listed: number
  still: number
  girls_still: number
}

/**
 * SQL: the latest cohort that was made of the same selection, with the rows of its list and those of girls who would still be on it. Its list
 * is read only if there is one.
 */
const lastCohort = (selection: Selection, shares: RawBuilder<unknown>) => sql<Last>`
  with ${shares}, last as (select c.id, c.name, c.created_at from imports i join transfer_cohorts c on c.import_id = i.id
      where i.kind = 'target-list' and i.params->'selection' = ${JSON.stringify(selection)}::jsonb
        and c.imported_at is not null and c.status <> 'rejected' order by c.id desc limit 1),
    before as (select m.student_id from transfer_master_list m where m.cohort_id = (select id from last)),
    still as materialized (${amongStudents(
      ({ from, where }) => sql`select st.student_id from before b join ${from} on st.student_id = b.student_id
        where ${where} and ${isWanted(selection)} and ${reasonOf(selection)} is null`,
    )})
  select last.id as cohort_id, last.name, last.created_at, (select count(*) from before) as listed,
    (select count(*) from still) as still, (select count(distinct student_id) from still) as girls_still
  from last`

/** How many of the `girls` of a selection are not on its latest list, and how many of the list are not among them. */
const changedSince = ({ listed, still, girls_still, ...cohort }: Last, girls: number) => ({
  ...cohort,
  // A register that changes between the two statements must not make it negative.
  added: Math.max(0, girls - girls_still),
  gone: listed - still,
})
