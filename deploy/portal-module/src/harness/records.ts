import { checkRecord, type DeclaredCollection } from '@portal/contracts/record-fields'
import {
  narrowRows,
  pageOfRows,
  readAsked,
  searchedOf,
  sortRows,
  totalOfRows,
} from '@portal/contracts/record-lists'
import { recordSheet, type WordedCollection } from '@portal/contracts/record-sheet'
import { say } from '@portal/contracts/sentences'
import { takePicture } from './pictures.ts'
import { findThings, referencesIn } from './references.ts'

/** A call that the fake portal received. */
export type FakeCall = {
  method: string
  /** The path without `/api`, with its parameters filled in. */
  path: string
  query: Record<string, string>
  body: unknown
}

/** A response. `status` is 200 by default; one with a `type` is a file, and its body a text. */
export type FakeAnswer = { status?: number; type?: string; body: unknown }

type Stored = {
  id: number
  data: Record<string, unknown>
  version: number
  created_at: string
  updated_at: string
  user: object
  references: object
}

type Named = { first_name: string; last_name: string }

const isImportable = (collection?: DeclaredCollection): collection is WordedCollection & { import: string } =>
  collection !== undefined && 'import' in collection

/**
 * The collections of a module, in memory. They can be listed, searched, paged and changed, and are checked against the
 * fields of the manifest like those of the portal.
 */
export function fakeRecords(user: Named, declared: readonly (DeclaredCollection | WordedCollection)[] = []) {
  const collections = new Map<string, Stored[]>()
  let last = 0
  const now = () => new Date().toISOString()

  function list(rows: Stored[], collection: DeclaredCollection, query: Record<string, string>): FakeAnswer {
    const { filters, faults } = readAsked(collection, query)
    const total = collection.totals?.find(({ name }) => name === query.total)
    if (query.total && !total) faults.total = 'total'
    if (Object.keys(faults).length) return refusal(faults)
    const wanted = (query.search ?? '').toLowerCase()
    const found = narrowRows(rows, filters).filter(({ data }) =>
      JSON.stringify(searchedOf(collection, data)).toLowerCase().includes(wanted),
    )
    if (total) return { body: { totals: totalOfRows(found, collection, total) } }
    const paging = { page: Number(query.page ?? 1), per_page: Number(query.per_page ?? 15) }
    return { body: { records: pageOfRows(sortRows(found, collection, query.sort), paging) } }
  }

  const refusal = (faults: Record<string, string>): FakeAnswer => ({
    status: 422,
    body: {
      message: 'Correct the fields.',
      errors: Object.fromEntries(
        Object.entries(faults).map(([field, fault]) => [field, [`${field}: ${say(fault, 'en')}`]]),
      ),
    },
  })

  /** Returns undefined if the call is not about records. */
  function answer(call: FakeCall, by: Named = user): FakeAnswer | undefined {
    const { method, path, query, body } = call
    const apart = importingOf(call) ?? findThings(call, declared) ?? takePicture(call)
    if (apart) return apart
    const [, name, id] = /^\/modules\/[^/]+\/records\/([^/]+)(?:\/(\d+|totals))?$/.exec(path) ?? []
    if (!name) return undefined
    const collection = declared.find((each) => each.name === name) ?? { name }
    const rows = collections.get(name) ?? []
    collections.set(name, rows)
    const { data: given = {}, version } = (body ?? {}) as { data?: Record<string, unknown>; version?: number }
    if (method === 'GET') return list(rows, collection, query)
    const { data, faults } = checkRecord(collection.fields ?? [], given)
    if (method !== 'DELETE' && Object.keys(faults).length)
      return refusal(
        Object.fromEntries(Object.entries(faults).map(([field, fault]) => [`data.${field}`, fault])),
      )
    if (!id && method === 'POST') {
      last += 1
      const { first_name, last_name } = by
      const stamps = { version: 1, created_at: now(), updated_at: now(), user: { first_name, last_name } }
      const record = { id: last, data, ...stamps, references: referencesIn(collection, data) }
      rows.push(record)
      return { status: 201, body: { message: 'Saved', record } }
    }
    const row = rows.find((each) => each.id === Number(id))
    if (!row) return { status: 404, body: { message: 'There is no such record.' } }
    if (method === 'DELETE') {
      rows.splice(rows.indexOf(row), 1)
      return { body: { message: 'Removed' } }
    }
    if (row.version !== version) return { status: 409, body: { message: 'Somebody was quicker.' } }
    const references = referencesIn(collection, data)
    Object.assign(row, { data, references, version: row.version + 1, updated_at: now() })
    return { body: { message: 'Saved', record: row } }
  }

  /** What the portal's page needs to import records. Undefined for other calls. */
  function importingOf({ method, path }: FakeCall): FakeAnswer | undefined {
    const [, module = '', name] = /^\/modules\/([^/]+)\/records\/([^/]+)\/import$/.exec(path) ?? []
    if (!name || method !== 'GET') return undefined
    const collection = declared.find((each) => each.name === name)
    if (!isImportable(collection)) return { status: 404, body: { message: 'The collection has no import.' } }
    const back = { to: collection.import, label: { en: module, fr: module } }
    return { body: { sheet: recordSheet(module, collection), back } }
  }

  /** The data of a collection's records, oldest first. */
  const stored = (name: string) => (collections.get(name) ?? []).map(({ data }) => data)

  return { answer, stored }
}
