import type { QueryOf } from '@portal/contracts/endpoint'
import { countedAtMost, type Page } from '@portal/contracts/fields'
import {
  type LeftOut,
  leftOutReasons,
  type Selection,
  type targetSelection,
} from '@portal/contracts/transfers/target-selection'
import { type RawBuilder, sql } from 'kysely'
import { type Db, rows, searchRows } from '../../kit/database/db.ts'
import { envelopeOf, matches } from '../../kit/database/paging.ts'
import { countReasons } from './selection-counts.service.ts'
import {
  amongStudents,
  isWanted,
  liveStudents,
  reasonOf,
  type Students,
  sharesOf,
} from './selection-students.ts'

type Query = QueryOf<typeof targetSelection.leftOut>
type Found = { total: number; students: Pick<LeftOut, 'id' | 'reason'>[] }

/** Lists the students whom a selection leaves out, of one reason or of all. */
export async function listLeftOut(db: Db, query: Query): Promise<Page<LeftOut>> {
  const shares = await sharesOf(db, query)
  const { total, students } = await findLeftOut(db, query, shares)
  const capped = total > countedAtMost
  const page = envelopeOf(query, await rowsOf(db, students), capped ? countedAtMost : total)
  return { ...page, ...(capped && { capped }) }
}

/** So many students are looked at in the order of the list, before those of whole schools are compared. */
const first = 5000

/**
 * Where many are left out, as boys are, the first students of the register have a page of them. The kept counts say how many there are. If the
 * page is not among the first students, all students of the schools in which somebody is left out are compared. A search compares all whom it finds.
 */
async function findLeftOut(db: Db, query: Query, shares: RawBuilder<unknown>): Promise<Found> {
  if (query.search) return compare(db, query, shares)
  const counts = await countReasons(db, query, shares)
  const total = query.reason
    ? counts[query.reason]
    : leftOutReasons.reduce((all, reason) => all + counts[reason], 0)
  const end = Math.min(query.page * query.per_page, total)
  if (total === 0) return { total, students: [] }
  const schools = sql`= any(${counts.schools}::bigint[])`
  if ((end * counts.registered) / total > first) return compare(db, query, shares, schools)
  const students = await lookAtFirst(db, query, shares)
  return students.length === end - (query.page - 1) * query.per_page
    ? { total, students }
    : compare(db, query, shares, schools)
}

const orders = { last_name: sql`s.person collate "fr-x-icu"`, student_code: sql`s.student_code` }

/** SQL: the order of the list. */
function orderOf({ sort }: Query) {
  const field = sort?.replace('-', '') === 'student_code' ? 'student_code' : 'last_name'
  const direction = sort?.startsWith('-') ? sql`desc` : sql`asc`
  return sql`${orders[field]} ${direction}, s.id ${direction}`
}

/** SQL: which rows a page has. A list ends after `countedAtMost` rows (decision 127). */
function pageOf({ page, per_page }: Query) {
  const offset = (page - 1) * per_page
  return sql`limit ${Math.max(0, Math.min(per_page, countedAtMost - offset))} offset ${offset}`
}

/** SQL: who is left out among `students`, with the reason. Without the fence PostgreSQL would find the reason once more for each use of it. */
const leftOut = (query: Query, { from, where }: Students, schools?: RawBuilder<unknown>) => sql`
  select id, reason from (
    select st.student_id as id, ${reasonOf(query)} as reason from ${from} where ${where} and ${isWanted(query, schools)} offset 0) judged
  where ${query.reason ? sql`reason = ${query.reason}` : sql`reason is not null`}`

/** SQL: the students among whom a search looks. */
const isSearched = ({ search }: Query) => {
  const found = matches(sql`f.search`, search)
  return found ? sql`st.student_id in (select f.id from students f where ${found})` : sql`true`
}

const lookAtFirst = (db: Db, query: Query, shares: RawBuilder<unknown>) =>
  searchRows(
    db,
    sql<Found['students'][number]>`
      with ${shares}, seen as materialized (select s.id, s.person, s.student_code from students s order by ${orderOf(query)} limit ${first})
      select s.id, l.reason from (${leftOut(query, { ...liveStudents, where: sql`st.student_id in (select id from seen)` })}) l
        join seen s on s.id = l.id order by ${orderOf(query)} ${pageOf(query)}`,
  )

/** A page for which all who are left out are found, sorted and counted. `schools` are those in which somebody is, if it is known. */
async function compare(
  db: Db,
  query: Query,
  shares: RawBuilder<unknown>,
  schools?: RawBuilder<unknown>,
): Promise<Found> {
  const among = amongStudents(({ from, where }) =>
    leftOut(query, { from, where: sql`${where} and ${isSearched(query)}` }, schools),
  )
  const [found] = await searchRows(
    db,
    sql<Found>`
      with ${shares}, found as materialized (${among}),
        page as (select s.id, f.reason from found f join students s on s.id = f.id order by ${orderOf(query)} ${pageOf(query)})
      select (select count(*) from found) as total, coalesce((select json_agg(page) from page), '[]') as students`,
  )
  if (!found) throw new Error('Who is left out could not be read')
  return found
}

/** The rows of these students, in their order. */
async function rowsOf(db: Db, students: Found['students']): Promise<LeftOut[]> {
  const ids = students.map(({ id }) => id)
  return rows(
    db,
    sql<LeftOut>`
      select s.id, u.first_name, u.last_name, s.student_code, sc.name as school_name, s.current_class_level as class_level, l.reason
      from unnest(${ids}::bigint[], ${students.map(({ reason }) => reason)}::text[]) with ordinality l (id, reason, n)
        join students s on s.id = l.id join users u on u.id = s.user_id join schools sc on sc.id = s.school_id
      order by l.n`,
  )
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
  const { country } = selection
  const shares = await sharesOf(db, selection)
  const chosen = amongStudents(
    ({ from, where }) => sql`select st.student_id from ${from}
      where ${where} and ${isWanted(selection)} and ${reasonOf(selection)} is null`,
  )
  const [found] = await searchRows(
    db,
    sql<{ ids: number[] | null }>`
      with ${shares}, chosen as (${chosen})
      select array_agg(s.id order by sc.name collate "fr-x-icu", sc.id, s.person collate "fr-x-icu", s.id) as ids
      from chosen join students s on s.id = chosen.student_id join schools sc on sc.id = s.school_id`,
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
              case when is_number_of(p.contact_1, ${country}) then p.contact_1
                when is_number_of(p.contact_2, ${country}) then p.contact_2
                else coalesce(p.contact_1, p.contact_2) end as phone
            from parent_students ps join parents p on p.id = ps.parent_id join users u on u.id = p.user_id
            where ps.student_id = s.id order by is_number_of(p.contact_1, ${country}) or is_number_of(p.contact_2, ${country}) desc, p.id limit 1) r on true
        order by o.n`,
    )
}
