import type * as v from 'valibot'
import { endpoint } from './endpoint.ts'
import type { Permission } from './permissions.ts'

type Allowed = Permission | readonly Permission[]
type Schema = v.GenericSchema<unknown, unknown>

/**
 * The calls to a server of a module's own team: `backendOf('mfe-health', 'stock', { read: 'health.view', write:
 * 'health.record' }).get('/items/:id', { answer: Item })`. Module, server and permissions are those of its manifest; the
 * portal goes by that, and passes the call on with a token that names the person. A body is a JSON object.
 */
export function backendOf<const Module extends string, const Backend extends string>(
  module: Module,
  backend: Backend,
  { read, write }: { read: Allowed; write: Allowed },
) {
  const base = `/modules/${module}/backend/${backend}` as const
  const sends =
    <const Method extends 'POST' | 'PUT'>(method: Method) =>
    <const Path extends `/${string}`, Body extends Schema, Answer extends Schema>(
      path: Path,
      { body, answer }: { body: Body; answer: Answer },
    ) =>
      endpoint({ method, path: `${base}${path}` as const, access: write, body, answer })
  return {
    get: <
      const Path extends `/${string}`,
      Answer extends Schema,
      Query extends Schema | undefined = undefined,
    >(
      path: Path,
      { query, answer }: { query?: Query; answer: Answer },
    ) =>
      endpoint({
        method: 'GET',
        path: `${base}${path}` as const,
        access: read,
        ...(query && { query }),
        answer,
      }),
    post: sends('POST'),
    put: sends('PUT'),
    remove: <const Path extends `/${string}`, Answer extends Schema>(
      path: Path,
      { answer }: { answer: Answer },
    ) => endpoint({ method: 'DELETE', path: `${base}${path}` as const, access: write, answer }),
  }
}
