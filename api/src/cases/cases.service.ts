import type { Case, CaseEvent, cases as calls, Reviewer } from '@portal/contracts/cases'
import type { AnswerOf, QueryOf } from '@portal/contracts/endpoint'
import type { Locale } from '@portal/contracts/sentences'
import { sql } from 'kysely'
import { type Db, rows } from '../kit/database/db.ts'
import { matches, paged } from '../kit/database/paging.ts'
import { notFound } from '../kit/http/refusals.ts'
import type { Actor } from '../kit/http/session.ts'
import { readReferences } from '../registers/references.service.ts'
import { caseVersion } from './case-acts.service.ts'
import { caseDocuments } from './case-documents.service.ts'
import { isOwnCase } from './case-readers.service.ts'
import { dueOn, overdue } from './due-cases.service.ts'
import { caseReferrals } from './referrals.service.ts'

const person = (alias: string) =>
  sql.raw(`jsonb_build_object('first_name', ${alias}.first_name, 'last_name', ${alias}.last_name)`)
const named = (alias: string, locale: Locale) =>
  sql`jsonb_build_object('id', ${sql.raw(alias)}.id, 'name', case ${locale} when 'fr' then ${sql.raw(alias)}.fr else ${sql.raw(alias)}.en end)`

const caseColumns = (locale: Locale) => sql`
  c.id, c.number, c.title, c.description, c.status, c.priority, ${named('t', locale)} as type, ${named('ch', locale)} as channel,
  c.assigned_id, ${person('r')} as assigned, ${person('f')} as user, c.plaintiff, ${dueOn} as due_on, ${overdue} as overdue,
  c.created_at, ${caseVersion} as version,
  coalesce((select jsonb_agg(${named('g', locale)} order by g.position) from case_tags ct
    join reference_values g on g.id = ct.tag_id where ct.case_id = c.id), '[]') as tags`
const caseTables = sql`cases c join reference_values t on t.id = c.type_id join reference_values ch on ch.id = c.channel_id
  join users r on r.id = c.assigned_id join users f on f.id = c.user_id`
/** SQL: the case is undecided and due within a week, or overdue. */
const dueThisWeek = sql`(c.decided_at is null and ${dueOn} <= (now() at time zone 'utc')::date + 7)`
/** SQL: the actor filed or reviews the case. */
const isOwn = (actor: Actor) => isOwnCase(actor.id)
/** SQL: limits an actor without `cases.view` to the cases that they filed or review (Cases 2.1). */
const mayRead = (actor: Actor) => !actor.can('cases.view') && isOwn(actor)

/**
 * SQL: the order of `-mine_overdue`. The cases that the actor reviews and that are overdue come first, the longest overdue
 * at the top; all others follow, newest first (Cases 2.4).
 */
const mineOverdue = (actor: Actor) => {
  const first = sql`(c.assigned_id = ${actor.id} and ${overdue})`
  return sql`(${first}, case when ${first} then -extract(epoch from ${dueOn}) else extract(epoch from c.created_at) end)`
}

/** Lists cases, with the choices for the filters and the create dialog. */
export async function listCases(db: Db, actor: Actor, locale: Locale, query: QueryOf<typeof calls.list>) {
  const search = query.search_term || query.search
  const where = [
    mayRead(actor),
    matches(sql`c.search`, search),
    query.status && sql`c.status = ${query.status}`,
    query.priority && sql`c.priority = ${query.priority}`,
    query.type && sql`c.type_id = ${query.type}`,
    query.reviewer && sql`c.assigned_id = ${query.reviewer}`,
    query.mine && isOwn(actor),
    query.due === 'undecided' && sql`c.decided_at is null`,
    query.due === 'overdue' && overdue,
    (query.due === 'this_week' || query.due === 'mine') && dueThisWeek,
    query.due === 'mine' && isOwn(actor),
  ]
  const [complains, references, partners] = await Promise.all([
    paged<Case>(db, query, {
      columns: caseColumns(locale),
      from: caseTables,
      where,
      sort: {
        created_at: sql`c.created_at`,
        number: sql`c.number`,
        title: sql`c.title collate "fr-x-icu"`,
        priority: sql`array_position(array['low_1_month', 'medium_1_week', 'high_1_day'], c.priority)`,
        status: sql`c.status`,
        // Undecided cases come first. Both kinds are ordered by the day on which they are due.
        due_on: sql`(c.decided_at is not null, ${dueOn})`,
        mine_overdue: mineOverdue(actor),
      },
      order: '-mine_overdue',
      narrow: sql`cases c`,
      key: sql`c.id`,
      total: 'cases',
    }),
    readReferences(db, locale, 'case_type', 'case_tag', 'case_channel'),
    listReviewers(db),
  ])
  return {
    complains,
    complainTypes: references('case_type'),
    complainTags: references('case_tag'),
    complainChannels: references('case_channel'),
    partners,
    isSearch: search !== '',
  }
}

/** Counts the cases that the actor filed or reviews and that are due within a week, as the list filters them. */
export async function dueCases(db: Db, actor: Actor): Promise<{ due: number; overdue: number }> {
  const [counts] = await rows(
    db,
    sql<{ due: number; overdue: number }>`
      select count(*) as due, count(*) filter (where ${overdue}) as overdue
      from cases c where ${isOwn(actor)} and ${dueThisWeek}`,
  )
  return counts ?? { due: 0, overdue: 0 }
}

/** Returns a case with its documents, history and consultations. Throws 404 for whoever may not see it. */
export async function readCase(
  db: Db,
  actor: Actor,
  locale: Locale,
  id: number,
): Promise<AnswerOf<typeof calls.details>> {
  const [found] = await rows(
    db,
    sql<Case & { verdict: string | null }>`
      select ${caseColumns(locale)}, c.verdict from ${caseTables} where c.id = ${id} and ${mayRead(actor) || sql`true`}
    `,
  )
  if (!found) throw notFound()
  const [documents, states, referrals, references] = await Promise.all([
    caseDocuments(db, id),
    rows(
      db,
      sql<CaseEvent>`
        select e.id, e.act, e.status, e.note, case when ch.id is not null then ${named('ch', locale)} end as channel,
          case when u.id is not null then ${person('u')} end as user, e.created_at
        from case_events e left join reference_values ch on ch.id = e.channel_id left join users u on u.id = e.user_id
        where e.case_id = ${id} order by e.id desc`,
    ),
    caseReferrals(db, id),
    readReferences(db, locale, 'case_channel'),
  ])
  return {
    complain: { ...found, documents, states },
    referrals,
    channels: references('case_channel'),
    currentUserId: actor.id,
  }
}

/** Lists the partners whose person is an active account with `cases.manage`: names only, because every session reads them. */
async function listReviewers(db: Db): Promise<Reviewer[]> {
  return rows(
    db,
    sql<Reviewer>`
      select p.id, p.name, jsonb_build_object('id', u.id, 'first_name', u.first_name, 'last_name', u.last_name) as user
      from partners p join users u on u.id = p.user_id
      where u.account and u.deactivated_at is null and exists (
        select from user_roles ur join role_permissions rp on rp.role_id = ur.role_id
          join permissions q on q.id = rp.permission_id where ur.user_id = u.id and q.name = 'cases.manage')
      order by p.name collate "fr-x-icu", p.id`,
  )
}
