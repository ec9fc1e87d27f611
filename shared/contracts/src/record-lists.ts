import * as v from 'valibot'
import { day, type Page } from './fields.ts'
import { groupBy } from './group-by.ts'
import type { DeclaredCollection, DeclaredField, DeclaredTotal } from './record-fields.ts'
import type { RecordType } from './record-types.ts'

/** Parameters of every list, which no filter can be called like. */
export const listParameters = ['page', 'per_page', 'search', 'sort', 'total'] as const
/** What every list of records can be sorted by. */
export const alwaysSorted = ['created_at', 'updated_at'] as const

type Data = Record<string, unknown>
type Query = Record<string, unknown>
type Value = string | number | boolean

/** One condition of a list: a field's own value, or the first or last day of it. */
export type RecordFilter = { field: string; type: RecordType; is: 'equal' | 'from' | 'to'; value: Value }
/** What a list or a total was asked for, as its collection declares it; and for each faulty parameter a key of the sentences. */
export type AskedRecords = { filters: RecordFilter[]; faults: Record<string, string> }

/** The parameters by which a field can be filtered. */
export const filtersOf = ({ name, type, filter }: DeclaredField): string[] =>
  !filter ? [] : type === 'day' ? [name, `${name}_from`, `${name}_to`] : [name]

/** Reads sort and filters of a query. What the collection does not declare is a fault, so that no filter is passed over. */
export function readAsked({ fields = [] }: DeclaredCollection, query: Query): AskedRecords {
  const filters: RecordFilter[] = []
  const faults: AskedRecords['faults'] = {}
  const sorted = [...alwaysSorted, ...fields.filter(({ sort }) => sort).map(({ name }) => name)]
  if (query.sort && !sorted.some((name) => query.sort === name || query.sort === `-${name}`))
    faults.sort = 'sort'
  for (const [name, text] of Object.entries(query)) {
    if ((listParameters as readonly string[]).includes(name)) continue
    const field = fields.find((each) => filtersOf(each).includes(name))
    if (!field?.type) faults[name] = 'filter'
    else if (text !== '') {
      const value = readValue(field.type, String(text))
      if (value === undefined) faults[name] = field.type === 'day' ? 'date' : 'invalid'
      else filters.push({ field: field.name, type: field.type, is: sideOf(field, name), value })
    }
  }
  for (const { field, is, value } of filters)
    if (
      is === 'to' &&
      filters.some((each) => each.field === field && each.is === 'from' && each.value > value)
    )
      faults[`${field}_to`] = 'to_before_from'
  return { filters, faults }
}

const sideOf = ({ name }: DeclaredField, parameter: string) =>
  parameter === name ? 'equal' : parameter === `${name}_from` ? 'from' : 'to'

function readValue(type: RecordType, text: string): Value | undefined {
  if (type === 'day') return v.is(day, text) ? text : undefined
  if (type === 'boolean') return text === 'true' || text === 'false' ? text === 'true' : undefined
  if (type === 'text') return text.length <= longestKey ? text : undefined
  const number = Number(text)
  return text.trim() && Number.isFinite(number) ? number : undefined
}

/** Texts that are sorted or filtered by have at most this many characters: an entry of an index is limited. */
export const longestKey = 255

/** Whether a type can be added up. */
export const isQuantity = (type: RecordType | undefined) => type === 'number' || type === 'whole'
/** Whether values of a type are numbers: a reference is the id of something. */
export const isNumber = (type: RecordType | undefined) => isQuantity(type) || type === 'reference'

/** The value by which a record is found and sorted: null for one that is missing or not of its type. */
export function keyOf({ name, type }: DeclaredField, data: Data): string | number | null {
  const value = data[name]
  if (isNumber(type)) return typeof value === 'number' ? value : null
  if (type === 'boolean') return typeof value === 'boolean' ? String(value) : null
  return typeof value === 'string' && value !== '' ? value.slice(0, longestKey) : null
}

/** The fields that a collection's lists and totals go by. */
export function keyFields({ fields = [], totals = [] }: DeclaredCollection): DeclaredField[] {
  const added = new Set(totals.flatMap(({ sum, by }) => [sum, by]))
  // References always: the records about a person are found by them when she is erased.
  return fields.filter(
    ({ name, sort, filter, type }) => type && (sort || filter || type === 'reference' || added.has(name)),
  )
}

/** What the search looks through: the fields that say so, or everything but pictures. */
export function searchedOf({ fields = [] }: DeclaredCollection, data: Data): Data {
  const searched = fields.filter(({ search }) => search)
  if (searched.length) return Object.fromEntries(searched.map(({ name }) => [name, data[name]]))
  const pictures = new Set(fields.flatMap(({ name, type }) => (type === 'picture' ? [name] : [])))
  return Object.fromEntries(Object.entries(data).filter(([name]) => !pictures.has(name)))
}

/** Conditions and order in memory, as the portal's database has them: for sandboxes and for tests of a module. */
export function narrowRows<Row extends { data: unknown }>(
  rows: readonly Row[],
  filters: RecordFilter[],
): Row[] {
  return rows.filter(({ data }) =>
    filters.every(({ field, type, is, value }) => {
      const key = keyOf({ name: field, type }, data as Data)
      if (is === 'equal') return key === (typeof value === 'boolean' ? String(value) : value)
      return key !== null && (is === 'from' ? key >= value : key <= value)
    }),
  )
}

/** Rows in the order of `sort`, newest first without one. */
export function sortRows<Row extends { id: number; data: unknown; created_at: string; updated_at: string }>(
  rows: readonly Row[],
  { fields = [] }: DeclaredCollection,
  sort = '-created_at',
): Row[] {
  const name = sort.replace(/^-/, '')
  const field = fields.find((each) => each.name === name)
  const keyAt = (row: Row) =>
    name === 'created_at' || name === 'updated_at' ? row[name] : field ? keyOf(field, row.data as Data) : null
  const ordered = [...rows].sort((a, b) => compareKeys(keyAt(a), keyAt(b)) || a.id - b.id)
  return sort.startsWith('-') ? ordered.reverse() : ordered
}

/** A missing value stands at the end, as in the database. */
function compareKeys(a: string | number | null, b: string | number | null): number {
  if (a === null || b === null) return (a === null ? 1 : 0) - (b === null ? 1 : 0)
  return typeof a === 'number' && typeof b === 'number' ? a - b : collator.compare(String(a), String(b))
}
const collator = new Intl.Collator('fr')

/** How many records, their sum, and both for each value of a field, the most frequent first. */
export type RecordTotals = {
  count: number
  sum: number | null
  groups: { value: Value | null; count: number; sum: number | null }[]
}

/** The most values of a field that a total tells apart. */
export const mostGroups = 200

/** A total of rows in memory. */
export function totalOfRows(
  rows: readonly { data: unknown }[],
  { fields = [] }: DeclaredCollection,
  { sum, by }: DeclaredTotal,
): RecordTotals {
  const fieldOf = (name?: string) => fields.find((field) => field.name === name)
  const [added, grouped] = [fieldOf(sum), fieldOf(by)]
  const addUp = (some: readonly { data: unknown }[]) =>
    added ? some.reduce((total, { data }) => total + Number(keyOf(added, data as Data) ?? 0), 0) : null
  const groups = grouped ? [...groupBy(rows, ({ data }) => keyOf(grouped, data as Data))] : []
  return {
    count: rows.length,
    sum: addUp(rows),
    groups: groups
      .map(([key, some]) => ({ value: valueOfKey(grouped?.type, key), count: some.length, sum: addUp(some) }))
      .sort((a, b) => b.count - a.count || compareKeys(String(a.value), String(b.value)))
      .slice(0, mostGroups),
  }
}

/** The value of a record that a key stands for. */
export const valueOfKey = (type: RecordType | undefined, key: string | number | null): Value | null =>
  type === 'boolean' && key !== null ? key === 'true' : key

/** One page of rows in memory. */
export function pageOfRows<Row>(
  rows: readonly Row[],
  { page, per_page }: { page: number; per_page: number },
): Page<Row> {
  const last_page = Math.max(1, Math.ceil(rows.length / per_page))
  const data = rows.slice((page - 1) * per_page, page * per_page)
  return { data, current_page: page, last_page, per_page, total: rows.length }
}
