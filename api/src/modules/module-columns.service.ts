import type { ColumnValues, ListedThing } from '@portal/contracts/module-columns'
import { bring, versionOf } from '@portal/contracts/record-versions'
import type { Locale, Text } from '@portal/contracts/sentences'
import type { PortalRegistry } from '@portal/registry'
import type { ModuleBuild } from '@portal/sdk/manifest'
import { type RawBuilder, sql } from 'kysely'
import { type Db, type Tx, transaction } from '../kit/database/db.ts'
import type { Actor } from '../kit/http/session.ts'
import { liveModules, runningBuilds } from './live-modules.ts'
import { changesFor } from './record-changes.service.ts'
import { type Keying, keyingOf, keyNamed } from './record-keys.service.ts'
import type { Declared } from './shelves.ts'

/** So long the statement may take. The list is on the screen already. */
const timeoutMs = 2_000
/** The longest text of a cell. */
const longest = 80

type Column = NonNullable<ModuleBuild['columns']>[number]
/** A column that a person may see, with how the records of its collection are kept and its own build reads them. */
type Shown = { key: string; module: string; column: Column; keying: Keying }
/** The value of a field, or the record that has it in another version. */
type Found = { at: number; id: number | null; value: unknown }

/** What each row is, by its id and by the code that people know it by. */
const things: Record<ListedThing, RawBuilder<unknown>> = {
  school: sql`select id, admin_code as code from schools`,
  student: sql`select id, student_code as code from students`,
  case: sql`select id, number as code from cases`,
}

/** What modules have in columns for these rows of a list, all of it read in one statement. */
export async function readColumns(
  { db, registry }: { db: Db; registry: PortalRegistry },
  actor: Actor,
  { on, ids }: { on: ListedThing; ids: string },
  locale: Locale,
): Promise<ColumnValues[]> {
  const shown = await columnsFor(registry, actor, on)
  if (shown.length === 0) return []
  const found = await transaction(db, async (tx) => {
    await sql`select set_config('statement_timeout', ${String(timeoutMs)}, true)`.execute(tx)
    const values = sql.join(
      shown.flatMap((each, at) => [valuesOf(each, at), behind(each, at)]),
      sql` union all `,
    )
    const { rows } = await sql<Found>`
      with things as (${things[on]} where id = any(${ids.split(',')}::bigint[])) ${values}`.execute(tx)
    return Promise.all(rows.map((row) => inVersion(tx, row, shown[row.at])))
  })
  return shown.map(({ key, column, keying }, at) => {
    const own = found.filter((row) => row.at === at)
    if (own.some(({ id }) => id === null)) return { key, values: null }
    const entries = own.flatMap(({ id, value }) => {
      const cell = cellOf(column, keying.declared, value, locale)
      return cell === null ? [] : [[String(id), cell] as const]
    })
    return { key, values: Object.fromEntries(entries) }
  })
}

/** The columns of live modules that a person may see: those whose collection they may read. A canary may have others. */
async function columnsFor(registry: PortalRegistry, actor: Actor, on: ListedThing): Promise<Shown[]> {
  const granted = new Set<string>(actor.permissions)
  const may = (allowed: string | string[]) => [allowed].flat().some((name) => granted.has(name))
  const found = new Map<string, Shown>()
  for (const entry of (await liveModules(registry)).modules) {
    if (entry.disabled || entry.withheld) continue
    const builds = runningBuilds(entry)
    for (const { columns = [], collections: own } of builds)
      for (const column of columns.filter((each) => each.on === on)) {
        const key = `${entry.name}:${column.id}`
        const declared = builds.flatMap(({ collections }) =>
          collections.filter(({ name }) => name === column.collection),
        )
        if (found.has(key) || !may(column.permission) || !declared.some(({ read }) => may(read))) continue
        const keying = keyingOf(
          declared,
          own.find(({ name }) => name === column.collection),
        )
        found.set(key, { key, module: entry.name, column, keying })
      }
  }
  return [...found.values()]
}

/** The value of a record that was saved with another version of its fields. */
async function inVersion(tx: Tx, { value, ...row }: Found, shown: Shown | undefined): Promise<Found> {
  const field = shown?.column.field
  if (!shown || field === undefined || value === null) return { ...row, value }
  const { data, schema, as } = value as { data?: Record<string, unknown>; schema: number; as?: unknown }
  if (!data) return { ...row, value: as }
  const { module, column, keying } = shown
  const changes = await changesFor(tx, { module, collection: column.collection }, keying, [{ schema }])
  return { ...row, value: bring(data, schema, keying.declared, changes)[field] }
}

const isNumbered = ({ column, keying }: Shown) =>
  keying.declared.fields?.find(({ name }) => name === column.by)?.type !== 'text'

/** SQL: for each thing its newest record's value, or the number of its records. Each is one look into an index. */
function valuesOf(shown: Shown, at: number): RawBuilder<unknown> {
  const { module, column, keying } = shown
  const by = keyNamed(keying, column.by) ?? column.by
  const version = versionOf(keying.declared)
  const mine = sql`k.field_id = (select f.id from module_record_fields f
      where f.module = ${module} and f.collection = ${column.collection} and f.name = ${by})
    and ${isNumbered(shown) ? sql`k.number = t.id::float8` : sql`k.text = t.code collate "fr-x-icu"`}`
  const one =
    column.field === undefined
      ? sql`select to_jsonb(count(*)) as value from module_record_keys k where ${mine}`
      : sql`select case when r.schema = ${version} then jsonb_build_object('as', r.data -> ${column.field}::text)
            else jsonb_build_object('data', r.data, 'schema', r.schema) end as value from module_record_keys k
          join module_records r on r.id = k.record_id where ${mine} order by k.record_id desc limit 1`
  return sql`select ${at}::int as at, t.id, v.value from things t cross join lateral (${one}) v`
}

/** SQL: a row without an id if records of the collection have no keys yet, or those of another declaration. */
function behind({ module, column, keying: { mark } }: Shown, at: number): RawBuilder<unknown> {
  const here = sql`module = ${module} and collection = ${column.collection}`
  return sql`select ${at}::int, null::bigint, null::jsonb
    where exists (select from module_records where ${here} and keyed < ${mark})
      or exists (select from module_records where ${here} and keyed > ${mark})
      or exists (select from module_records where ${here} and keyed is null)`
}

function cellOf(column: Column, declared: Declared | undefined, value: unknown, locale: Locale) {
  if (value === null || value === undefined || value === '') return null
  if (typeof value === 'number') return value
  if (typeof value === 'boolean')
    return value ? { en: 'yes', fr: 'oui' }[locale] : { en: 'no', fr: 'non' }[locale]
  if (typeof value !== 'string') return null
  const field = declared?.fields?.find(({ name }) => name === column.field)
  const chosen = field?.values?.find((each) => each.value === value) as { label?: Text } | undefined
  const text = chosen?.label?.[locale] ?? value
  return text.length > longest ? `${text.slice(0, longest - 1)}…` : text
}
