import { type Access, type Endpoint, type Params, wordParams } from '@portal/contracts/endpoint'
import type { Upload } from '@portal/contracts/fields'
import type { Locale, Text } from '@portal/contracts/sentences'
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import * as v from 'valibot'
import { throwUnsaved } from '../database/db.ts'
import { type FileAnswer, type StoredUpload, storageOfCall } from '../files/files.ts'
import { readMultipart } from '../files/multipart.ts'
import type { Context } from '../process/context.ts'
import { withinCall } from '../process/telemetry.ts'
import { type CallerCheck, callerOf } from './callers.ts'
import { refuseBadInput } from './input.ts'
import type { CallLimit } from './limits.ts'
import { say } from './messages.ts'
import { codesNeeded, lacking, notFound, Refusal, signedOut } from './refusals.ts'
import { type Redirect, respond } from './respond.ts'
import {
  type Actor,
  type Author,
  isOfAnother,
  offerToken,
  origin,
  passesAntiForgery,
  readSession,
  requireRecentSignIn,
} from './session.ts'
import { unavailable } from './unavailable.ts'

/** The HTTP side of the portal: the shared context, the server, and every endpoint it serves. */
export type App = Context & {
  http: FastifyInstance
  endpoints: Endpoint[]
  limitCalls: CallLimit
  /** Refuses calls for isolated modules until the domain of modules says which they may make. */
  checkCaller: CallerCheck
}

type Stored<T> = { [K in keyof T]: Upload extends T[K] ? StoredUpload | Exclude<T[K], Upload> : T[K] }
type Read<S> = S extends v.GenericSchema ? Stored<v.InferOutput<S>> : undefined
type ReadQuery<S> = S extends v.GenericSchema ? v.InferOutput<S> : undefined

/** The input of a handler: the validated parts of the call. */
export type Call<Path extends string = string, Query = unknown, Body = unknown> = Context & {
  /** The signed-in person. Throws on a public route without a session. */
  actor: Actor
  visitor: Actor | null
  /** The origin of the call, for audit rows of a call without a session. */
  author: Author
  /** The id of the calling machine's token, or of the agency that should have signed, on a route for machines. */
  machine: number
  params: Params<Path>
  query: Query
  body: Body
  locale: Locale
  request_id: string
  request: FastifyRequest
  reply: FastifyReply
}

/** A handler's answer: the answer of the contract with its `message` in both languages, a file or a redirect. */
export type Answered<T> =
  | FileAnswer
  | Redirect
  | (T extends { message: string } ? Omit<T, 'message'> & { message: string | Text } : T)

declare module 'fastify' {
  interface FastifyRequest {
    visitor: Actor | null
    machine: number
    locale: Locale
    /** Whose tokens `machine` counts: each kind has ids, and a limit of calls, of its own. */
    machineKind: string
    /** The JSON body as it arrived, for its signature. */
    rawJson: string
  }
  interface FastifyContextConfig {
    /** Who may call. The server does not start if a route has none. */
    access?: Access
  }
}

type Options = {
  /** The general sentence of a 422. */
  whenInvalid?: Text
  /** Checks the invite of a call before its body is read, or throws. */
  invite?: (request: FastifyRequest) => Promise<void>
  /**
   * Reads the bearer token of a machine, or who should have signed the body, or throws. Such calls need no cookie and no
   * CSRF token.
   */
  machine?: (request: FastifyRequest) => Promise<number>
  /**
   * Lets a server call as well, by a bearer token that this reads, or throws. Cookies do not count then, and there is no
   * `visitor`.
   */
  orServer?: (request: FastifyRequest) => Promise<number>
}

/**
 * Serves one call of the contracts. The checks have this order: session (401), CSRF token (419), one-time codes (403), permission (403),
 * isolated module (403), recent sign-in (403), path (404), content type (415), size (413), query and body (422, with the sentence `whenInvalid`). Only this function
 * knows both HTTP and valibot.
 */
export function serve<
  const Path extends string,
  Query extends v.GenericSchema<unknown, unknown> | undefined,
  Body extends v.GenericSchema<unknown, unknown> | undefined,
  Answer extends v.GenericSchema<unknown, unknown>,
>(
  app: App,
  endpoint: Endpoint<Path, Query, Body, Answer>,
  handler: (call: Call<Path, ReadQuery<Query>, Read<Body>>) => Promise<Answered<v.InferInput<Answer>>>,
  { whenInvalid = say.invalid, machine, orServer, invite }: Options = {},
) {
  if (!endpoint.access) throw new Error(`${endpoint.method} ${endpoint.path} does not say who may call it`)
  if (isForMachines(endpoint.access) !== Boolean(machine))
    throw new Error(`${endpoint.method} ${endpoint.path} does not say how a machine shows who it is`)
  if (endpoint.access === 'invite' && endpoint.body && !invite)
    throw new Error(`${endpoint.method} ${endpoint.path} does not say how its invite is checked`)
  app.endpoints.push(endpoint)
  app.http.route({
    method: endpoint.method,
    url: endpoint.path.replace(/:rest$/, '*'),
    bodyLimit: endpoint.bodyLimit,
    config: { access: endpoint.access },
    onRequest: (request, reply) =>
      withinCall(request, () =>
        admit(app, endpoint, request, reply, { machine, orServer, invite }).catch(throwUnsaved),
      ),
    handler: (request, reply) =>
      withinCall(request, async () => {
        const params = readParams(endpoint.path, request.params as Record<string, string>) as Params<Path>
        refuseBadInput(request.query)
        const query = check(endpoint.query, request.query, whenInvalid) as ReadQuery<Query>
        const { body, drop } = await readBody(app, endpoint, request)
        const { storage, dropUnrecorded } = storageOfCall(app.db, app.storage)
        let isCertain = true
        try {
          // A machine sends many messages at once, and a faulty one is refused alone.
          if (endpoint.access !== 'machine') refuseBadInput(body)
          const call: Call<Path, ReadQuery<Query>, Read<Body>> = {
            settings: app.settings,
            db: app.db,
            storage,
            log: app.log,
            registry: app.registry,
            get actor() {
              if (!request.visitor)
                throw new Error('This route reads the signed-in person but does not ask for a session')
              return request.visitor
            },
            visitor: request.visitor,
            author: request.visitor ?? { id: null, ...origin(request) },
            machine: request.machine,
            params,
            query,
            body: check(endpoint.body, body, whenInvalid) as Read<Body>,
            locale: request.locale,
            request_id: request.id,
            request,
            reply,
          }
          return await respond(app, endpoint, request, reply, await handler(call))
        } catch (error) {
          isCertain = unavailable(error, request.method)?.code !== 'outcome_unknown'
          throw error
        } finally {
          // The database may still commit what refers to a file. If it does not, the sweep removes the file.
          if (isCertain)
            await dropUnrecorded().catch((fault) =>
              app.log.error({ err: fault }, 'an unrecorded file remains'),
            )
          await drop()
        }
      }),
  })
}

const isForMachines = (access: Access): access is 'machine' | 'signed' =>
  access === 'machine' || access === 'signed'

/** Authenticates and authorises the call before the body is read. */
async function admit(
  app: App,
  endpoint: Endpoint,
  request: FastifyRequest,
  reply: FastifyReply,
  { machine, orServer, invite }: Options,
) {
  const { access, method } = endpoint
  if (isForMachines(access)) {
    request.machine = (await machine?.(request)) ?? 0
    return app.limitCalls(request)
  }
  if (orServer && /^bearer /i.test(request.headers.authorization ?? '')) {
    request.machine = await orServer(request)
    request.machineKind = 'server'
    return app.limitCalls(request)
  }
  request.visitor = await readSession(app, request)
  const personal = request.visitor?.locale && !request.headers['accept-language']
  if (personal && request.visitor?.locale) request.locale = request.visitor.locale
  offerToken(app.settings, request, reply, false)
  const open = access === 'public' || access === 'invite'
  if (!open && !request.visitor) throw signedOut()
  if (!open && method !== 'GET' && isOfAnother(request)) throw new Refusal(401, say.otherPerson)
  if (request.visitor) await app.limitCalls(request)
  if (method !== 'GET' && !passesAntiForgery(app.settings, request)) throw new Refusal(419, say.session)
  await invite?.(request)
  if (!open && request.visitor?.totp_needed && !endpoint.beforeCodes) throw codesNeeded()
  if (!open && access !== 'session') {
    const any = typeof access === 'string' ? [access] : access
    if (!any.some((permission) => request.visitor?.can(permission))) throw lacking(any)
  }
  await admitCaller(app, endpoint, request)
  if (endpoint.fresh && request.visitor) await requireRecentSignIn(app.db, request.visitor)
}

/** A call for an isolated module: from here on audit rows name the module, also that of its refusal. */
async function admitCaller(app: App, endpoint: Endpoint, request: FastifyRequest) {
  const caller = callerOf(request)
  if (caller === undefined) return
  if (request.visitor && caller) request.visitor.module = `${caller.name}/${caller.build}`
  const params = request.params as Record<string, string>
  await app.checkCaller(caller, request.visitor, { endpoint, params })
}

function readParams(path: string, given: Record<string, string>) {
  const params: Record<string, string | number> = {}
  for (const [key, value] of Object.entries(given)) {
    const name = key === '*' ? 'rest' : key
    if (wordParams.includes(name)) params[name] = value
    else if (/^[1-9]\d{0,15}$/.test(value) && Number(value) <= Number.MAX_SAFE_INTEGER)
      params[name] = Number(value)
    else throw notFound()
  }
  if (path.split(':').length - 1 !== Object.keys(params).length) throw notFound()
  return params
}

async function readBody(app: App, endpoint: Endpoint, request: FastifyRequest) {
  const nothing = async () => {}
  if (endpoint.multipart) {
    if (!request.isMultipart()) throw new Refusal(415, say.contentType)
    return readMultipart(request, app.storage, app.settings.scanner)
  }
  if (request.isMultipart()) throw new Refusal(415, say.contentType)
  return { body: request.body ?? {}, drop: nothing }
}

/** Validates a value. Throws a 422 with the first error of every field and the general sentence of the call. */
function check(schema: v.GenericSchema | undefined, value: unknown, general: Text): unknown {
  return schema && readAgainst(schema, value, general)
}

/** Validates a value or throws a 422. Called by handlers whose fields depend on the caller. */
export function readAgainst<Schema extends v.GenericSchema>(
  schema: Schema,
  value: unknown,
  general: Text = say.invalid,
): v.InferOutput<Schema> {
  const result = v.safeParse(schema, value, { abortPipeEarly: true })
  if (result.success) return result.output
  const errors: Record<string, string[]> = {}
  for (const issue of result.issues) {
    const field = v.getDotPath(issue)
    // The value is not an object, so no field can be named.
    if (field === null) throw new Refusal(422, general)
    errors[field] = [...(errors[field] ?? []), sentenceKey(schema, issue)]
  }
  throw new Refusal(422, general, { errors })
}

/**
 * Returns 'required' or 'invalid' for a schema without a sentence of its own, because valibot's English messages are
 * not sent.
 */
function sentenceKey(schema: v.GenericSchema, issue: v.BaseIssue<unknown>): string {
  if (!english.test(issue.message)) return issue.message
  if (issue.received !== 'undefined' && issue.received !== 'null') return 'invalid'
  // valibot reports a missing key at its object. The field's own schema may have a better sentence.
  const field = (schema as { entries?: v.ObjectEntries }).entries?.[String(issue.path?.[0]?.key)]
  const own =
    issue.path?.length === 1 && field ? v.safeParse(field, undefined).issues?.[0]?.message : undefined
  return own && !english.test(own) ? own : 'required'
}

const english = /^(Invalid|Unknown)\b.*:/
