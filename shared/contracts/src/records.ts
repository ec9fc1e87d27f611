import * as v from 'valibot'
import { endpoint } from './endpoint.ts'
import { done, instant, type ListQuery, listQuery, PersonName, page } from './fields.ts'
import { ModuleRecord, RecordTotals, ReferencesFound, referencesQuery } from './module-records.ts'
import type { Permission } from './permissions.ts'
import { alwaysSorted } from './record-lists.ts'
import { pictureCalls } from './record-pictures.ts'
import { exportStarted, fileBody, importStarted, reviewQuery } from './registers/register-fields.ts'

type Allowed = Permission | readonly Permission[]
type Names = readonly string[]

/** One optional parameter for each filter. */
type Narrowing<Filter extends string, Day extends string> = {
  [Name in Filter | `${Day}_from` | `${Day}_to`]?: string | undefined
}
type Order<Sort extends string> = Sort | `-${Sort}`
type ListSchema<Sort extends string, Filter extends string, Day extends string> = v.GenericSchema<
  { page?: string; per_page?: string; search?: string; sort?: Order<Sort> } & Narrowing<Filter, Day>,
  ListQuery & { sort?: Order<Sort> | undefined } & Narrowing<Filter, Day>
>
type ExportSchema<Filter extends string, Day extends string> = v.GenericSchema<
  { search?: string } & Narrowing<Filter, Day>,
  { search: string } & Narrowing<Filter, Day>
>
type TotalSchema<Total, Filter extends string, Day extends string> = v.GenericSchema<
  { total: Total; search?: string } & Narrowing<Filter, Day>,
  { total: Total; search: string } & Narrowing<Filter, Day>
>

/** What a collection's list can be sorted and filtered by, and its totals: each as its manifest declares it. */
type Options<Sort, Filter, Day, Total> = {
  read: Allowed
  write: Allowed
  /** Fields with `sort`. */
  sort?: readonly Sort[]
  /** Fields with `filter`, by their value. */
  filters?: readonly Filter[]
  /** Fields of type `day` with `filter`: from a first day (`date_from`) to a last (`date_to`). */
  days?: readonly Day[]
  /** Names of `totals`. */
  totals?: readonly Total[]
}

/**
 * The calls for a collection of records that the portal keeps for a module, with the module's own shape of their `data`:
 * `recordsOf('mfe-health', 'visits', Visit, { read: 'health.view', write: 'health.record', sort: ['date'] })`. Name, collection,
 * permissions, sort, filters and totals are those of its manifest; the server goes by that.
 */
export function recordsOf<
  const Module extends string,
  const Collection extends string,
  Data extends v.GenericSchema<unknown, Record<string, unknown>>,
  const Sort extends keyof v.InferOutput<Data> & string = never,
  const Filter extends keyof v.InferOutput<Data> & string = never,
  const Day extends keyof v.InferOutput<Data> & string = never,
  const Total extends string = never,
>(module: Module, collection: Collection, data: Data, options: Options<Sort, Filter, Day, Total>) {
  const { read, write, sort = [], filters = [], days = [], totals = [] } = options
  const path = `/modules/${module}/records/${collection}` as const
  const record = v.object({
    id: v.number(),
    data,
    /** Sent back with a change: 409 when the record has changed meanwhile. */
    version: v.number(),
    created_at: instant,
    updated_at: instant,
    /** Who wrote it down. */
    user: PersonName,
    /** What fields of type reference refer to; null for what the caller may not see, and for what is gone. */
    references: ModuleRecord.entries.references,
  })
  const saved = v.object({ message: v.string(), record })
  const narrowing = filtersOf(filters, days)
  const listed = listQuery([...alwaysSorted, ...sort], narrowing)
  const totalled = v.object({
    total: v.picklist(totals, 'total'),
    search: listed.entries.search,
    ...narrowing,
  })
  return {
    list: endpoint({
      method: 'GET',
      path,
      access: read,
      // The names are type parameters, so the compiler cannot check this schema here.
      query: listed as unknown as ListSchema<(typeof alwaysSorted)[number] | Sort, Filter, Day>,
      answer: v.object({ records: page(record) }),
    }),
    /** A total of the records that search and filters leave: `{ total: 'outcomes' }`. */
    totals: endpoint({
      method: 'GET',
      path: `${path}/totals` as const,
      access: read,
      query: totalled as unknown as TotalSchema<Total, Filter, Day>,
      answer: v.object({ totals: RecordTotals }),
    }),
    /** The things that a field of type reference may lead to: for `ReferenceField` and `ReferenceFilter`. */
    references: referencesOf(path, [read, write].flat()),
    /** The records that search and filters leave, as an Excel file: for `ExportButton`. */
    export: endpoint({
      method: 'POST',
      path: `${path}/export` as const,
      access: read,
      body: v.object({ search: listed.entries.search, ...narrowing }) as unknown as ExportSchema<Filter, Day>,
      answer: exportStarted,
    }),
    /** Records out of an Excel file: for `ImportRecordsButton`, which leads to the portal's page for it. */
    import: endpoint({
      method: 'POST',
      path: `${path}/import` as const,
      access: write,
      query: reviewQuery,
      body: fileBody('records_file'),
      multipart: true,
      answer: importStarted,
    }),
    /** For fields of type picture: `PictureField` and `RecordPicture` are given both calls. */
    ...picturesAt(path, [read].flat(), [write].flat()),
    create: endpoint({ method: 'POST', path, access: write, body: v.object({ data }), answer: saved }),
    update: endpoint({
      method: 'PUT',
      path: `${path}/:id` as const,
      access: write,
      body: v.object({ data, version: v.number('number') }),
      answer: saved,
    }),
    remove: endpoint({ method: 'DELETE', path: `${path}/:id` as const, access: write, answer: done }),
  }
}

/** The path is typed as `string` with the parameter `field`, because each collection has a path of its own. */
const referencesOf = (path: string, access: readonly Permission[]) =>
  endpoint({
    method: 'GET',
    path: `${path}/references/:field` as '/references/:field',
    access,
    query: referencesQuery,
    answer: ReferencesFound,
  })
/** The call by which things are found for a reference: `meals.references`. */
export type ReferencesCall = ReturnType<typeof referencesOf>

const picturesAt = (path: string, read: readonly Permission[], write: readonly Permission[]) => ({
  sendPicture: endpoint({
    method: 'POST',
    path: `${path}/pictures` as '/pictures',
    access: write,
    body: pictureCalls.body,
    multipart: true,
    answer: pictureCalls.sent,
  }),
  picture: endpoint({
    method: 'GET',
    path: `${path}/pictures/:picture` as '/pictures/:picture',
    access: read,
    query: pictureCalls.query,
    answer: v.unknown(),
  }),
})
/** The calls for the pictures of a collection: `meals` has them. */
export type PictureCalls = ReturnType<typeof picturesAt>

/** The server reads the value of a filter by the type of its field. */
function filtersOf(filters: Names, days: Names) {
  const names = [...filters, ...days.flatMap((day) => [`${day}_from`, `${day}_to`])]
  return Object.fromEntries(names.map((name) => [name, v.optional(v.string())]))
}
