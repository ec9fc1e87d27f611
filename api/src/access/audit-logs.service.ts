import { auditEvents, auditTypes, type auditLogs as calls } from '@portal/contracts/audit'
import type { BodyOf, QueryOf } from '@portal/contracts/endpoint'
import { countedAtMost } from '@portal/contracts/fields'
import { type RawBuilder, sql } from 'kysely'
import { checkpointBefore } from '../kit/audit/audit-checkpoints.ts'
import { type Db, rows } from '../kit/database/db.ts'
import { paged } from '../kit/database/paging.ts'
import type { Context } from '../kit/process/context.ts'
import { inSentences } from './audit-entries.service.ts'
import { fieldsInWords } from './audit-field-words.service.ts'
import type { Reader, StoredAudit } from './audit-names.service.ts'
import { type FoundSubjects, findSubjects } from './audit-subjects.service.ts'

/** The filters, the same for the page and the export. */
export type AuditFilters = BodyOf<typeof calls.export>

/** Columns of an entry, from `auditFrom`. */
export const auditColumns = sql`a.id, a.created_at, a.ip_address, a.event, a.auditable_type, a.auditable_id, a.user_agent, a.module,
  case when u.id is not null then jsonb_build_object('id', u.id, 'first_name', u.first_name, 'last_name', u.last_name) end as user,
  w.old_values, w.new_values, w.erased_at is not null as erased`
export const auditFrom = sql`audits a left join audit_values w on w.audit_id = a.id left join users u on u.id = a.user_id`

/** Lists entries, newest first. `until` keeps the pages stable while new entries arrive. */
export async function listAudits(context: Context, query: QueryOf<typeof calls.list>, reader: Reader) {
  const { db } = context
  const { until, search } = query
  const subjects = search ? await findSubjects(db, search, reader.visible) : undefined
  const where = auditConditions(query, subjects)
  const newest = rows(db, sql<{ id: number }>`select coalesce(max(id), 0) as id from audits`)
  const page = paged<StoredAudit>(db, query, {
    columns: auditColumns,
    from: auditFrom,
    narrow: sql`audits a`,
    // With other filters an alternative would be read in vain.
    many: where.length === 1 && subjects !== undefined && foundMany(alternatives(search, subjects), until),
    where: [...where, until && sql`a.id <= ${until}`],
    sort: { created_at: sql`a.created_at` },
    order: '-created_at',
    key: sql`a.id`,
    total: 'audits',
    // The cached total avoids counting a long log at every poll. Only the entries newer than `until` are counted.
    count:
      until && !where.length
        ? sql`(${total} - (select count(*) from audits where id > ${until}))`
        : undefined,
    placeBefore: where.length === 0 && ((entry) => checkpointBefore(db, entry, until)),
  })
  // Both promises are awaited together. Otherwise a rejection of the second one would be unhandled and end the process.
  const [logs, [last]] = await Promise.all([page, newest])
  const data = await inSentences(context, logs.data, reader, { most: 3, longest: 60 })
  return { logs: { ...logs, data }, newest: last?.id ?? 0, too_many: subjects?.too_many ?? false }
}

/**
 * SQL: whether one alternative of a search has more entries than a list counts, without those after `until`. Its index counts them
 * alone: 50 people of one name have two of twenty million entries.
 */
function foundMany(arms: RawBuilder<unknown>[], until: number | undefined): RawBuilder<unknown> | false {
  const newer = until ? sql`(select count(*) from audits where id > ${until})` : sql`0`
  const many = arms.map(
    (arm) => sql`(select count(*) > ${sql.lit(countedAtMost)} + ${newer}
      from (select from audits a where ${arm} limit ${sql.lit(countedAtMost + 1)} + ${newer}) part)`,
  )
  return many.length > 0 && sql`(${sql.join(many, sql` or `)})`
}

const total = sql`(select coalesce(sum(rows), 0)::bigint from list_totals where name = 'audits')`

/**
 * Returns the SQL conditions of the filters. The search compares who acted, on what or whom (`subjects`), what happened and
 * from where, but never the values.
 */
export function auditConditions(
  { user_id, event, auditable_type, from, to, search }: AuditFilters,
  subjects: FoundSubjects | undefined,
): RawBuilder<unknown>[] {
  const conditions: (RawBuilder<unknown> | false | undefined)[] = [
    user_id !== undefined && sql`a.user_id = ${user_id}`,
    event !== undefined && sql`a.event = ${event}`,
    auditable_type !== undefined && sql`a.auditable_type = ${auditable_type}`,
    from !== undefined && sql`a.created_at >= ${from}::date::timestamp at time zone 'utc'`,
    to !== undefined && sql`a.created_at < (${to}::date + 1)::timestamp at time zone 'utc'`,
    subjects && search !== undefined && searched(search, subjects),
  ]
  return conditions.filter((condition): condition is RawBuilder<unknown> => Boolean(condition))
}

function searched(text: string, subjects: FoundSubjects): RawBuilder<unknown> {
  const arms = alternatives(text, subjects)
  return arms.length > 0 ? sql`(${sql.join(arms, sql` or `)})` : sql`false`
}

/**
 * Every alternative can use an index, so that no search reads the whole log. Those that can find nothing are left out: the
 * planner expects rows of each, and would rather walk the log from its end until a page is full.
 */
function alternatives(text: string, { ids }: FoundSubjects): RawBuilder<unknown>[] {
  const people = ids.find(([noun]) => noun === 'user')?.[1] ?? []
  const events = wordsLike(auditEvents, text)
  const types = wordsLike(auditTypes, text)
  const arms: (RawBuilder<unknown> | false)[] = [
    people.length > 0 && sql`a.user_id = any(${people}::bigint[])`,
    ...ids.map(
      ([noun, found]) =>
        found.length > 0 && sql`(a.auditable_type = ${noun} and a.auditable_id = any(${found}::bigint[]))`,
    ),
    events.length > 0 && sql`a.event = any(${events}::text[])`,
    types.length > 0 && sql`a.auditable_type = any(${types}::text[])`,
    /^\d{1,15}$/.test(text) &&
      sql`(a.auditable_type = any(${Object.keys(auditTypes)}::text[]) and a.auditable_id = ${Number(text)})`,
    /^[\da-f]*[.:][\da-f.:]+$/i.test(text) && sql`a.ip_address = ${text}`,
  ]
  return arms.filter((arm) => arm !== false)
}

const folded = (text: string) => text.normalize('NFD').replace(/\p{M}/gu, '').toLowerCase()

/** Returns the keys whose name, or whose words in either language, contain the text. */
function wordsLike(words: typeof auditEvents, text: string): string[] {
  const wanted = folded(text)
  return Object.entries(words)
    .filter(([key, { en, fr }]) => [key, en, fr].some((word) => folded(word).includes(wanted)))
    .map(([key]) => key)
}

/** Returns the events, types and people that occur in the log. A loose index scan finds them. */
export async function auditChoices(db: Db) {
  const distinct = (column: 'event' | 'auditable_type' | 'user_id') => {
    const name = sql.raw(column)
    return sql`with recursive seen as (
        (select ${name} as value from audits where ${name} is not null order by ${name} limit 1)
        union all select (select ${name} from audits where ${name} > seen.value order by ${name} limit 1) from seen
          where seen.value is not null)
      select value from seen where value is not null`
  }
  const [events, types, users, fields] = await Promise.all([
    rows(db, distinct('event').$castTo<{ value: string }>()),
    rows(db, distinct('auditable_type').$castTo<{ value: string }>()),
    rows(
      db,
      sql<{ id: number; first_name: string; last_name: string }>`
        select u.id, u.first_name, u.last_name from (${distinct('user_id')}) a join users u on u.id = a.value
        order by u.last_name collate "fr-x-icu", u.first_name collate "fr-x-icu", u.id`,
    ),
    fieldsInWords(db),
  ])
  return {
    events: events.map((row) => row.value),
    auditable_types: types.map((row) => row.value),
    users,
    fields,
  }
}
