import { checkRecord, type DeclaredField } from '@portal/contracts/record-fields'
import { say } from '@portal/contracts/sentences'

/** A call that the fake portal received. */
export type FakeCall = {
  method: string
  /** The path without `/api`, with its parameters filled in. */
  path: string
  query: Record<string, string>
  body: unknown
}

/** A response. `status` is 200 by default. */
export type FakeAnswer = { status?: number; body: unknown }

type Stored = {
  id: number
  data: unknown
  version: number
  created_at: string
  updated_at: string
  user: object
}

/** A collection as the manifest declares it. */
export type DeclaredCollection = { name: string; fields?: readonly DeclaredField[] | undefined }

/**
 * The collections of a module, in memory. They can be listed, searched, paged and changed, and are checked against the
 * fields of the manifest like those of the portal.
 */
export function fakeRecords(
  user: { first_name: string; last_name: string },
  declared: readonly DeclaredCollection[] = [],
) {
  const collections = new Map<string, Stored[]>()
  let last = 0
  const now = () => new Date().toISOString()

  function list(rows: Stored[], query: Record<string, string>): FakeAnswer {
    const wanted = (query.search ?? '').toLowerCase()
    const found = rows.filter((row) => JSON.stringify(row.data).toLowerCase().includes(wanted))
    const newestFirst = query.sort !== 'created_at' && query.sort !== 'updated_at'
    const ordered = newestFirst ? [...found].reverse() : found
    const size = Number(query.per_page ?? 15)
    const page = Number(query.page ?? 1)
    const data = ordered.slice((page - 1) * size, page * size)
    const last_page = Math.max(1, Math.ceil(found.length / size))
    return { body: { records: { data, current_page: page, last_page, per_page: size, total: found.length } } }
  }

  const refusal = (faults: Record<string, string>): FakeAnswer => ({
    status: 422,
    body: {
      message: 'Correct the fields.',
      errors: Object.fromEntries(
        Object.entries(faults).map(([field, fault]) => [`data.${field}`, [`${field}: ${say(fault, 'en')}`]]),
      ),
    },
  })

  /** Returns undefined if the call is not about records. */
  function answer({ method, path, query, body }: FakeCall): FakeAnswer | undefined {
    const [, name, id] = /^\/modules\/[^/]+\/records\/([^/]+)(?:\/(\d+))?$/.exec(path) ?? []
    if (!name) return undefined
    const rows = collections.get(name) ?? []
    collections.set(name, rows)
    const { data: given = {}, version } = (body ?? {}) as { data?: Record<string, unknown>; version?: number }
    const { data, faults } = checkRecord(declared.find((each) => each.name === name)?.fields ?? [], given)
    if (method !== 'GET' && method !== 'DELETE' && Object.keys(faults).length) return refusal(faults)
    if (!id && method === 'GET') return list(rows, query)
    if (!id && method === 'POST') {
      last += 1
      const record = { id: last, data, version: 1, created_at: now(), updated_at: now(), user }
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
    Object.assign(row, { data, version: row.version + 1, updated_at: now() })
    return { body: { message: 'Saved', record: row } }
  }

  return { answer }
}
