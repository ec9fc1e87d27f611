import * as v from 'valibot'
import { endpoint } from './endpoint.ts'
import { done, instant, listQuery, PersonName, page } from './fields.ts'
import type { Permission } from './permissions.ts'

type Allowed = Permission | readonly Permission[]

/**
 * The calls for a collection of records that the portal keeps for a module, with the module's own shape of their `data`:
 * `recordsOf('mfe-health', 'visits', Visit, { read: 'health.view', write: 'health.record' })`. Name, collection and
 * permissions are those of its manifest; the server goes by that.
 */
export function recordsOf<
  const Module extends string,
  const Collection extends string,
  Data extends v.GenericSchema<unknown, Record<string, unknown>>,
>(module: Module, collection: Collection, data: Data, { read, write }: { read: Allowed; write: Allowed }) {
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
  })
  const saved = v.object({ message: v.string(), record })
  return {
    list: endpoint({
      method: 'GET',
      path,
      access: read,
      query: listQuery(['created_at', 'updated_at']),
      answer: v.object({ records: page(record) }),
    }),
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
