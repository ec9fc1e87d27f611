import type { Endpoint } from '@portal/contracts/endpoint'
import { allCalls } from '@portal/contracts/test-calls'
import fc from 'fast-check'
import type { Answer, Client } from '../client.ts'
import type { knownIds } from './random-ids.ts'
import { AnyFile, anyId, anyOf, Known } from './random-values.ts'

/** A call as it was made up: ids and files are only named. */
export type MadeUp = {
  params: Record<string, unknown>
  query: unknown
  body: unknown
  who: number
  together: boolean
}
/** The same with the ids and files that there are. */
export type Ready = { path: string; body: unknown; query: Record<string, unknown> }

/** Words in paths. */
const words: Record<string, readonly string[]> = {
  kind: ['student', 'guardian', 'teacher', 'user', 'expert', 'nobody'],
  module: ['mfe-meals', 'mfe-meals', 'mfe-meals', 'mfe-meals', 'mfe-none'],
  collection: ['meals', 'meals', 'meals', 'meals', 'none'],
  field: ['school', 'name', 'none'],
  flag: ['trial', 'none'],
  backend: ['figures', 'none'],
  rest: ['a', 'a/b', '%2e%2e', 'é'],
  provider: ['nobody', 'é'],
  file_name: ['students.xlsx', 'schools.xlsx', 'target-list.xlsx', 'none.xlsx', 'é'],
  token: ['none'],
  invite: ['none', 'x'.repeat(43)],
}

/** The forms that a call takes. Some calls have several, which the server tells apart by their fields. */
export const bodiesOf = ({ method, path, body }: Endpoint) => {
  const forms = allCalls.flatMap(({ call }) =>
    call.method === method &&
    call.path === path &&
    call.body &&
    !['lazy', 'loose_object'].includes(call.body.type)
      ? [call.body]
      : [],
  )
  return forms.length > 0 ? forms : [body]
}

/** Calls of an endpoint with values that its contract takes. */
export function callsOf(endpoint: Endpoint): fc.Arbitrary<MadeUp> {
  const names = [...endpoint.path.matchAll(/:(\w+)/g)].map(([, name = '']) => name)
  const params = names.map((name) => {
    const known = words[name]
    return [
      name,
      known ? fc.constantFrom(...known) : name === 'n' ? fc.integer({ min: 1, max: 4 }) : anyId(name),
    ]
  })
  return fc.record({
    params: fc.record(Object.fromEntries(params)) as fc.Arbitrary<Record<string, unknown>>,
    query: anyOf(endpoint.query, 'query'),
    body: fc.oneof(...bodiesOf(endpoint).map((body) => anyOf(body, 'body'))),
    who: fc.nat(19),
    together: fc.boolean(),
  })
}

type Ids = ReturnType<typeof knownIds>
type Files = (field: string, n: number) => File

/** Puts the ids and files that there are into a value. */
async function filled(value: unknown, path: string, ids: Ids, files: Files): Promise<unknown> {
  if (value instanceof Known) return ids.of(path, value.field, value.n)
  if (value instanceof AnyFile) return files(value.field, value.n)
  if (Array.isArray(value)) return Promise.all(value.map((one) => filled(one, path, ids, files)))
  if (typeof value !== 'object' || value === null) return value
  const entries = Object.entries(value).map(async ([key, one]) => [key, await filled(one, path, ids, files)])
  return Object.fromEntries(await Promise.all(entries))
}

export async function ready(endpoint: Endpoint, made: MadeUp, ids: Ids, files: Files): Promise<Ready> {
  const of = (value: unknown) => filled(value, endpoint.path, ids, files)
  const params = (await of(made.params)) as Record<string, unknown>
  return {
    path: endpoint.path.replace(/:(\w+)/g, (_, name) => encodeURIComponent(String(params[name])) || '0'),
    query: ((await of(made.query)) ?? {}) as Record<string, unknown>,
    body: await of(made.body),
  }
}

const asText = (value: unknown) => (typeof value === 'object' ? JSON.stringify(value) : String(value))

/** A query as a browser writes it: a list has its name several times. */
export function asQuery(query: Record<string, unknown>): string {
  const params = new URLSearchParams()
  for (const [key, value] of Object.entries(query))
    for (const one of Array.isArray(value) ? value : [value])
      if (one !== undefined && one !== null) params.append(key, asText(one).toWellFormed())
  const text = params.toString()
  return text && `?${text}`
}

/** Makes the call as a browser does. */
export function send(client: Client, endpoint: Endpoint, { path, query, body }: Ready): Promise<Answer> {
  const address = path + asQuery(query)
  if (endpoint.multipart) {
    const fields = Object.entries(body as Record<string, unknown>).filter(([, value]) => value !== null)
    const form = fields.map(([key, value]) => {
      if (Array.isArray(value)) return [`${key}[]`, value.map((one) => asText(one).toWellFormed())]
      return [key, value instanceof File ? value : asText(value).toWellFormed()]
    })
    return client.upload(address, Object.fromEntries(form))
  }
  const hasBody = endpoint.method !== 'GET' && body !== undefined
  return client.send(
    endpoint.method,
    address,
    hasBody ? (body as object) : endpoint.method === 'GET' ? undefined : {},
  )
}

/** A call in the words of a failure. */
export const tell = ({ path, query, body }: Ready) =>
  `${path}${asQuery(query)} ${JSON.stringify(body, (_, value) => (value instanceof File ? `file ${value.name} of ${value.size}` : value))?.slice(0, 600) ?? ''}`
