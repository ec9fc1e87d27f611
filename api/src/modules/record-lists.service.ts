import type { ModuleRecord } from '@portal/contracts/module-records'
import {
  isNumber,
  mostGroups,
  type RecordFilter,
  type RecordTotals,
  readAsked,
  valueOfKey,
} from '@portal/contracts/record-lists'
import { type RawBuilder, sql } from 'kysely'
import { type Db, searchRows } from '../kit/database/db.ts'
import { matches, paged } from '../kit/database/paging.ts'
import { invalid } from '../kit/http/refusals.ts'
import type { Actor } from '../kit/http/session.ts'
import { asAsked } from './record-changes.service.ts'
import { fieldIds, type Keying, keyNamed, keyRecords } from './record-keys.service.ts'
import { withReferences } from './references.service.ts'
import type { Shelf } from './shelves.ts'

/** Search, sort and filters of a call, not yet checked. */
export type Query = { search: string; sort?: string | undefined; [parameter: string]: unknown }
type ListQuery = Query & { page: number; per_page: number }

export const recordColumns = sql`r.id, r.data, r.schema, r.version, r.created_at, r.updated_at,
  case when r.token_id is null then jsonb_build_object('first_name', u.first_name, 'last_name', u.last_name)
    else jsonb_build_object('first_name', t.name, 'last_name', '') end as user`
export const recordTables = sql`module_records r join users u on u.id = r.user_id
  left join module_tokens t on t.id = r.token_id`
export const onShelf = ({ module, collection }: Shelf) =>
  sql`r.module = ${module} and r.collection = ${collection}`

const sortedBy = ({ sort }: Query) => sort?.replace(/^-/, '')

/** The records of a collection, newest first by default. */
export async function listRecords(
  db: Db,
  { keying, by }: { keying: Keying; by: { person: Actor | null } },
  shelf: Shelf,
  query: ListQuery,
) {
  const { where, idOf } = await conditions(db, shelf, keying, query)
  const sorted = keying.declared.fields?.find(({ name }) => name === sortedBy(query))
  const keys = sorted
    ? sql` join module_record_keys s on s.record_id = r.id and s.field_id = ${idOf(sorted.name)}`
    : sql``
  const records = await paged<ModuleRecord & { schema: number }>(db, query, {
    columns: recordColumns,
    from: sql`${recordTables}${keys}`,
    narrow: sql`module_records r${keys}`,
    where,
    planned: where.length > 1,
    sort: {
      // In the order of their ids, for which there is an index.
      created_at: sql`r.id`,
      updated_at: sql`r.updated_at`,
      ...(sorted && { [sorted.name]: isNumber(sorted.type) ? sql`s.number` : sql`s.text` }),
    },
    order: '-created_at',
    key: sql`r.id`,
  })
  const read = await asAsked(db, shelf, keying, records.data)
  return { records: { ...records, data: await withReferences(db, by.person, keying.declared, read) } }
}

/** A total that the collection declares, of the records that search and filters leave. */
export async function totalRecords(db: Db, shelf: Shelf, keying: Keying, query: Query & { total: string }) {
  const { fields = [], totals = [] } = keying.declared
  const total = totals.find(({ name }) => name === query.total)
  if (!total) throw invalid({ total: 'total' })
  const { where, idOf } = await conditions(db, shelf, keying, query)
  const grouped = fields.find(({ name }) => name === total.by)
  const joined = (alias: RawBuilder<unknown>, field: string | undefined) =>
    field
      ? sql` left join module_record_keys ${alias} on ${alias}.record_id = r.id and ${alias}.field_id = ${idOf(field)}`
      : sql``
  const key = !grouped ? sql`null` : isNumber(grouped.type) ? sql`k.number` : sql`k.text`
  const added = total.sum ? sql`coalesce(sum(n.number), 0)` : sql`null::float8`
  const found = await searchRows(
    db,
    sql<{
      key: string | number | null
      count: number
      sum: number | null
      all: number
      all_sum: number | null
    }>`
      select ${key} as key, count(*) as count, ${added} as sum, sum(count(*)) over () as all, sum(${added}) over () as all_sum
      from module_records r${joined(sql`k`, grouped?.name)}${joined(sql`n`, total.sum)}
      where ${sql.join(where, sql` and `)} group by 1 order by 2 desc, 1 limit ${mostGroups}`,
  )
  const totalsOf: RecordTotals = {
    count: found[0]?.all ?? 0,
    sum: total.sum ? (found[0]?.all_sum ?? 0) : null,
    groups: grouped
      ? found.map(({ key, count, sum }) => ({ value: valueOfKey(grouped.type, key), count, sum }))
      : [],
  }
  return { totals: totalsOf }
}

/** What narrows a list or a total. Throws 422 for a parameter that the collection does not declare. */
export async function conditions(db: Db, shelf: Shelf, keying: Keying, query: Query) {
  const { filters, faults } = readAsked(keying.declared, query)
  const sorted = keying.declared.fields?.find(({ name }) => name === sortedBy(query))?.name
  // A build that is no longer in use, in an open tab, may declare what no list goes by any more.
  for (const { field } of filters) if (!keyNamed(keying, field)) faults[field] = 'filter'
  if (sorted && !keyNamed(keying, sorted)) faults.sort = 'sort'
  if (Object.keys(faults).length) throw invalid(faults)
  const names = keying.fields.map(({ key }) => key)
  const isByKeys = filters.length > 0 || 'total' in query || sorted !== undefined
  const searched = keying.live.fields?.some(({ search }) => search)
  if (isByKeys || (searched && query.search)) await keyRecords(db, shelf, keying)
  const ids = isByKeys ? await fieldIds(db, shelf, names) : new Map<string, number>()
  /** The id is a number of our own table, so it is a literal in the statement: then the planner knows which field is meant. */
  const idOf = (name: string) => sql.lit(ids.get(keyNamed(keying, name) ?? '') ?? 0)
  const where: RawBuilder<unknown>[] = [onShelf(shelf), ...filters.map((filter) => holds(filter, idOf))]
  const words = matches(sql`r.search`, query.search)
  return { where: words ? [...where, words] : where, idOf }
}

function holds(
  { field, type, is, value }: RecordFilter,
  idOf: (name: string) => RawBuilder<unknown>,
): RawBuilder<unknown> {
  const of = sql`f.record_id = r.id and f.field_id = ${idOf(field)}`
  const given = isNumber(type) ? sql`f.number` : sql`f.text`
  const compared = is === 'equal' ? sql`=` : is === 'from' ? sql`>=` : sql`<=`
  const wanted = isNumber(type) ? value : String(value)
  return sql`exists (select from module_record_keys f where ${of} and ${given} ${compared} ${wanted})`
}
