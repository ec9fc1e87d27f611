import type * as v from 'valibot'
import { jsonLimit } from './limits.ts'
import type { Permission } from './permissions.ts'

/**
 * Who may call: a permission of Access 3.1, any one of several, any session, anybody at all, whoever holds the invite link,
 * a machine with a bearer token, or whoever signs the body. A route without one does not compile.
 */
export type Access =
  | Permission
  | readonly Permission[]
  | 'session'
  | 'public'
  | 'invite'
  | 'machine'
  | 'signed'

type ParamName<Path extends string> = Path extends `${string}:${infer Rest}`
  ? Rest extends `${infer Name}/${infer Tail}`
    ? Name | ParamName<`/${Tail}`>
    : Rest
  : never

/** Path parameters that are words, `rest` being all that is left of the path; every other one is a positive integer (Calls 1.4). */
type WordParam =
  | 'token'
  | 'invite'
  | 'file_name'
  | 'module'
  | 'collection'
  | 'field'
  | 'backend'
  | 'rest'
  | 'provider'
  | 'kind'
  | 'flag'
export const wordParams: readonly string[] = [
  'token',
  'invite',
  'file_name',
  'module',
  'collection',
  'field',
  'backend',
  'rest',
  'provider',
  'kind',
  'flag',
] satisfies WordParam[]

/** `{id: number}` of `/admin/schools/:id`; `{}` of a path without parameters. */
export type Params<Path extends string> = {
  [Name in ParamName<Path>]: Name extends WordParam ? string : number
}

type Schema = v.GenericSchema<unknown, unknown>

/** One call: read by client, form, server and tests. */
export type Endpoint<
  Path extends string = string,
  Query extends Schema | undefined = Schema | undefined,
  Body extends Schema | undefined = Schema | undefined,
  Answer extends Schema = Schema,
> = {
  method: 'GET' | 'POST' | 'PUT' | 'DELETE'
  /** After the base `/api`; parameters as `:name`. */
  path: Path
  access: Access
  /** Needs a sign-in, or a confirmation by password, within the last 5 minutes (Access 2.4). */
  fresh: boolean
  /** Open to a person whose role asks for one-time codes, before they have set them up (Access 1.5). */
  beforeCodes: boolean
  query: Query
  body: Body
  /** The body travels as multipart/form-data, its `upload()` fields as files. */
  multipart: boolean
  /** The largest JSON body in bytes: 64 KiB unless the call says otherwise. Forms with files have a limit of their own. */
  bodyLimit: number
  answer: Answer
}

/** Declares a call. `answer` gives the type of what comes back and is checked in the tests. */
export function endpoint<
  const Path extends string,
  Answer extends Schema,
  Query extends Schema | undefined = undefined,
  Body extends Schema | undefined = undefined,
>(call: {
  method: Endpoint['method']
  path: Path
  access: Access
  fresh?: boolean
  beforeCodes?: boolean
  query?: Query
  body?: Body
  multipart?: boolean
  bodyLimit?: number
  answer: Answer
}): Endpoint<Path, Query, Body, Answer> {
  return {
    method: call.method,
    path: call.path,
    access: call.access,
    fresh: call.fresh ?? false,
    beforeCodes: call.beforeCodes ?? false,
    query: call.query as Query,
    body: call.body as Body,
    multipart: call.multipart ?? false,
    bodyLimit: call.bodyLimit ?? jsonLimit,
    answer: call.answer,
  }
}

/** Type of an endpoint's answer. */
export type AnswerOf<E extends Endpoint> = v.InferOutput<E['answer']>
/** What a caller sends as the body, before the server's defaults. */
export type BodyOf<E> =
  E extends Endpoint<string, Schema | undefined, infer B extends Schema> ? v.InferInput<B> : undefined
/** The query as the server reads it; a caller may leave any of it out. */
export type QueryOf<E> = E extends Endpoint<string, infer Q extends Schema> ? v.InferOutput<Q> : undefined
/** Path parameters of an endpoint. */
export type ParamsOf<E> = E extends Endpoint<infer Path> ? Params<Path> : never
