import { type AuditLog, auditEvents, auditTypes, type auditLogs as calls } from '@portal/contracts/audit'
import { auditWords } from '@portal/contracts/audit-fields'
import type { BodyOf, QueryOf } from '@portal/contracts/endpoint'
import { sensitiveFields } from '@portal/contracts/students.fields'
import { type RawBuilder, sql } from 'kysely'
import { type Db, rows } from '../kit/db.ts'
import { paged } from '../kit/paging.ts'

/** The filters, the same for the page and the export. */
export type AuditFilters = BodyOf<typeof calls.export>

const names = sql`case a.auditable_type
  when 'user' then (select t.first_name || ' ' || t.last_name from users t where t.id = a.auditable_id)
  when 'role' then (select t.name from roles t where t.id = a.auditable_id)
  when 'school' then (select t.name from schools t where t.id = a.auditable_id)
  when 'cohort' then (select t.name from transfer_cohorts t where t.id = a.auditable_id)
  when 'agency' then (select t.name from transfer_agencies t where t.id = a.auditable_id)
  when 'parameter' then (select t.name from transfer_parameters t where t.id = a.auditable_id)
  when 'sync token' then (select t.name from sync_tokens t where t.id = a.auditable_id) end`

/** Columns of an entry, from `auditFrom`. */
export const auditColumns = sql`a.id, a.created_at, a.ip_address, a.event, a.auditable_type, a.auditable_id, a.user_agent,
  case when u.id is not null then jsonb_build_object('id', u.id, 'first_name', u.first_name, 'last_name', u.last_name) end as user,
  ${names} as auditable_name, w.old_values, w.new_values, w.erased_at is not null as erased`
export const auditFrom = sql`audits a left join audit_values w on w.audit_id = a.id left join users u on u.id = a.user_id`

/** Lists entries, newest first. `until` keeps the pages stable while new entries arrive. */
export async function listAudits(db: Db, query: QueryOf<typeof calls.list>, sensitive: boolean) {
  const { until } = query
  const where = auditConditions(query)
  const newest = rows(db, sql<{ id: number }>`select coalesce(max(id), 0) as id from audits`)
  const page = paged<AuditLog>(db, query, {
    columns: auditColumns,
    from: auditFrom,
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
  })
  // Both promises are awaited together. Otherwise a rejection of the second one would be unhandled and end the process.
  const [logs, [last]] = await Promise.all([page, newest])
  return {
    logs: { ...logs, data: logs.data.map((row) => forReader(row, sensitive)) },
    newest: last?.id ?? 0,
  }
}

const total = sql`(select coalesce(sum(rows), 0)::bigint from list_totals where name = 'audits')`

/**
 * Returns the SQL conditions of the filters. The search compares who acted, on whom, what happened and from where, but
 * never the values.
 */
export function auditConditions({
  user_id,
  event,
  auditable_type,
  from,
  to,
  search,
}: AuditFilters): RawBuilder<unknown>[] {
  const text = search?.trim()
  const conditions: (RawBuilder<unknown> | false | undefined)[] = [
    user_id !== undefined && sql`a.user_id = ${user_id}`,
    event !== undefined && sql`a.event = ${event}`,
    auditable_type !== undefined && sql`a.auditable_type = ${auditable_type}`,
    from !== undefined && sql`a.created_at >= ${from}::date::timestamp at time zone 'utc'`,
    to !== undefined && sql`a.created_at < (${to}::date + 1)::timestamp at time zone 'utc'`,
    Boolean(text) && searched(text ?? ''),
  ]
  return conditions.filter((condition): condition is RawBuilder<unknown> => Boolean(condition))
}

function searched(text: string): RawBuilder<unknown> {
  const people = sql`(select t.id from users t where t.search like portal_search(${`%${text.replace(/[\\%_]/g, '\\$&')}%`}))`
  const number = /^\d{1,15}$/.test(text) ? Number(text) : 0
  return sql`(a.user_id in ${people} or (a.auditable_type = 'user' and a.auditable_id in ${people})
    or a.event = any(${wordsLike(auditEvents, text)}::text[])
    or a.auditable_type = any(${wordsLike(auditTypes, text)}::text[])
    or a.ip_address = ${text} or a.auditable_id = ${number})`
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
  const [events, types, users] = await Promise.all([
    rows(db, distinct('event').$castTo<{ value: string }>()),
    rows(db, distinct('auditable_type').$castTo<{ value: string }>()),
    rows(
      db,
      sql<{ id: number; first_name: string; last_name: string }>`
        select u.id, u.first_name, u.last_name from (${distinct('user_id')}) a join users u on u.id = a.value
        order by u.last_name collate "fr-x-icu", u.first_name collate "fr-x-icu", u.id`,
    ),
  ])
  return {
    events: events.map((row) => row.value),
    auditable_types: types.map((row) => row.value),
    users,
    fields: auditWords,
  }
}

const scales = ['vision', 'hearing', 'mobility', 'cognition', 'selfcare', 'communication', 'other']
const personal = (key: string) =>
  (sensitiveFields as readonly string[]).includes(key) || key.startsWith('disability') || scales.includes(key)

/** Removes maternal status and disability from an entry unless the reader has `students.sensitive` (Access 5.1). */
export function forReader(row: AuditLog, sensitive: boolean): AuditLog {
  if (sensitive) return row
  return {
    ...row,
    old_values: without(row.old_values) as AuditLog['old_values'],
    new_values: without(row.new_values) as AuditLog['new_values'],
  }
}

function without(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(without)
  if (typeof value !== 'object' || value === null) return value
  return Object.fromEntries(
    Object.entries(value)
      .filter(([key]) => !personal(key))
      .map(([key, inner]) => [key, without(inner)]),
  )
}
