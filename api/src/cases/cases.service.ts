import type { Case, cases as calls } from '@portal/contracts/cases'
import type { QueryOf } from '@portal/contracts/endpoint'
import type { Locale } from '@portal/contracts/sentences'
import { sql } from 'drizzle-orm'
import { type Db, rows } from '../kit/db.ts'
import { matches, paged } from '../kit/paging.ts'
import type { Actor } from '../kit/session.ts'
import { readReferences } from '../registers/references.service.ts'

type Reviewer = {
  id: number
  name: string
  user: { id: number; first_name: string; last_name: string; email: string | null }
}

/** The day a case is to be decided by: a day, a week or a month after it was filed (section 5). */
const dueOn = sql`((c.created_at at time zone 'utc')::date + case c.priority
  when 'high_1_day' then interval '1 day' when 'medium_1_week' then interval '1 week' else interval '1 month' end)::date`
const overdue = sql`(c.decided_at is null and ${dueOn} < (now() at time zone 'utc')::date)`

/** Cases, newest first: everybody's with `cases.view`, otherwise those one filed or reviews (decisions 3.9). */
export async function listCases(db: Db, actor: Actor, locale: Locale, query: QueryOf<typeof calls.list>) {
  const search = query.search_term || query.search
  const person = (alias: string) =>
    sql.raw(`jsonb_build_object('first_name', ${alias}.first_name, 'last_name', ${alias}.last_name)`)
  const named = (alias: string) =>
    sql`jsonb_build_object('id', ${sql.raw(alias)}.id, 'name', case ${locale} when 'fr' then ${sql.raw(alias)}.fr else ${sql.raw(alias)}.en end)`
  const [complains, references, partners] = await Promise.all([
    paged<Case>(db, query, {
      columns: sql`c.id, c.number, c.title, c.description, c.status, c.priority, ${named('t')} as type, ${named('ch')} as channel,
        c.assigned_id, ${person('r')} as assigned, ${person('f')} as user, c.plaintiff,
        ${dueOn} as due_on, ${overdue} as overdue, c.created_at,
        coalesce((select jsonb_agg(${named('g')} order by g.position) from case_tags ct
          join reference_values g on g.id = ct.tag_id where ct.case_id = c.id), '[]') as tags`,
      from: sql`cases c join reference_values t on t.id = c.type_id join reference_values ch on ch.id = c.channel_id
        join users r on r.id = c.assigned_id join users f on f.id = c.user_id`,
      where: [
        !actor.can('cases.view') && sql`(c.user_id = ${actor.id} or c.assigned_id = ${actor.id})`,
        matches(sql`c.search`, search),
        query.status && sql`c.status = ${query.status}`,
      ],
      sort: {
        created_at: sql`c.created_at`,
        number: sql`c.number`,
        title: sql`c.title collate "fr-x-icu"`,
        priority: sql`array_position(array['low_1_month', 'medium_1_week', 'high_1_day'], c.priority)`,
        status: sql`c.status`,
        due_on: sql`(not ${overdue}, ${dueOn})`,
      },
      order: '-created_at',
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

/** Partners whose person is an active account that may review. */
async function listReviewers(db: Db): Promise<Reviewer[]> {
  return rows<Reviewer>(
    db,
    sql`select p.id, p.name, jsonb_build_object('id', u.id, 'first_name', u.first_name, 'last_name', u.last_name, 'email', u.email) as user
      from partners p join users u on u.id = p.user_id
      where u.account and u.deactivated_at is null and exists (
        select from user_roles ur join role_permissions rp on rp.role_id = ur.role_id
          join permissions q on q.id = rp.permission_id where ur.user_id = u.id and q.name = 'cases.manage')
      order by p.name collate "fr-x-icu", p.id`,
  )
}
