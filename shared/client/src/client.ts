import type { AnswerOf, BodyOf, Endpoint, ParamsOf, QueryOf } from '@portal/contracts/endpoint'
import { createEtagCache } from './etag-cache.ts'
import { Problem } from './problem.ts'
import { antiForgeryToken, encodeBody, fillPath, queryString } from './request.ts'
import { brokenOff, fileName, readJson } from './response.ts'

type None = Record<never, never>

/** The arguments of a call; path parameters and body are required where the endpoint has them. */
export type CallArgs<E extends Endpoint> = (keyof ParamsOf<E> extends never
  ? None
  : { params: ParamsOf<E> }) &
  (QueryOf<E> extends undefined
    ? None
    : { query?: { [Key in keyof QueryOf<E>]?: QueryOf<E>[Key] | undefined } }) &
  (BodyOf<E> extends undefined ? None : { body: BodyOf<E> }) & {
    /** Made by a timer: it does not prolong the session (Access 2.2). */
    poll?: boolean | undefined
    /** Made beside what a person does: if her session has ended, the next call of her own asks her to sign in. */
    quiet?: boolean | undefined
    signal?: AbortSignal | undefined
    /** Share of a multipart body sent so far, 0 to 1. */
    onUploadProgress?: ((share: number) => void) | undefined
    /** The consultant's invite, for calls with that access. */
    invite?: string | undefined
    /** The key of an open form: the server does once what a form asks for (Calls 1.9). */
    form?: string | undefined
  }

/** The arguments after the endpoint; optional where nothing is required. */
export type Rest<E extends Endpoint> = None extends CallArgs<E> ? [args?: CallArgs<E>] : [args: CallArgs<E>]

/** A file of the storage path: ready, or still being written, with its progress. */
export type StoredFile =
  | { ready: false; rows_done: number; rows_total: number }
  | { ready: true; blob: Blob; name: string }

/** Typed calls. They throw a `Problem`, or an AbortError when aborted. */
export type Client = {
  call<E extends Endpoint>(endpoint: E, ...rest: Rest<E>): Promise<AnswerOf<E>>
  /** Fetches a file; 202 means it is still being written. */
  file<E extends Endpoint>(endpoint: E, ...rest: Rest<E>): Promise<StoredFile>
}

/** What a client needs of the page that it is made for. */
export type ClientOptions = {
  /** Where the calls live, `/api`. */
  base: string
  /** Language of messages, asked for at every call. */
  locale: () => string
  /** For whom the page was opened: a change that anybody else's session would make is refused (Access 2.7). */
  userId?: () => number | undefined
  /** A call with a session behind it was answered 401. */
  onUnauthorized?: (endpoint: Endpoint) => void
  /**
   * Whether the person is signed in all the same: a new password, or the password given once more, replaces her session while
   * a read is under way. Asked after a read was answered 401; the read is repeated, once, if it resolves to true.
   */
  stillSignedIn?: () => Promise<boolean>
  /** A call was refused because the person has to set up one-time codes first. */
  onCodesNeeded?: () => void
  /** Asks the person to re-authenticate. The call is repeated if it resolves to true. */
  onReauthenticate?: () => Promise<boolean>
  fetch?: typeof globalThis.fetch
  /** Whether uploads go through `fetch`, which gets `onProgress`: in a frame that has no network of its own. */
  uploadsByFetch?: () => boolean
}

type AnyArgs = {
  params?: Record<string, unknown>
  query?: Record<string, unknown>
  body?: unknown
  poll?: boolean
  quiet?: boolean
  signal?: AbortSignal
  onUploadProgress?: (share: number) => void
  invite?: string
  form?: string
}

/** What the calls of one client have in common. */
type ClientState = ClientOptions & {
  fetch: typeof globalThis.fetch
  cache: ReturnType<typeof createEtagCache>
  /** The changes under way. The answer to one of them may bring the cookie of a new session. */
  changing: Set<Promise<unknown>>
}

/** Makes the client that shell and modules share. It sets no time-out of its own. */
export function createClient(options: ClientOptions): Client {
  const state: ClientState = {
    ...options,
    // A browser's own `fetch` refuses to be called as a method of something else.
    fetch: (...args) => (options.fetch ?? globalThis.fetch)(...args),
    cache: createEtagCache(),
    changing: new Set(),
  }
  return {
    call: (endpoint, ...[args]) =>
      readAnswer(state, endpoint, (args ?? {}) as AnyArgs) as Promise<AnswerOf<typeof endpoint>>,
    file: (endpoint, ...[args]) => readFile(state, endpoint, (args ?? {}) as AnyArgs),
  }
}

async function readAnswer(state: ClientState, endpoint: Endpoint, args: AnyArgs): Promise<unknown> {
  const response = await answered(state, endpoint, args)
  const key = state.locale() + addressOf(state, endpoint, args)
  if (response.status === 304) return state.cache.get(key)
  const answer = await readJson(response)
  if (args.poll) state.cache.keep(key, response.headers.get('etag'), answer)
  return answer
}

async function readFile(state: ClientState, endpoint: Endpoint, args: AnyArgs): Promise<StoredFile> {
  const response = await answered(state, endpoint, args)
  if (response.status === 202) {
    const { rows_done, rows_total } = (await readJson(response)) as { rows_done: number; rows_total: number }
    return { ready: false, rows_done, rows_total }
  }
  const blob = await response.blob().catch(brokenOff)
  return { ready: true, blob, name: fileName(response.headers.get('content-disposition')) }
}

/** Makes a call and, where that helps, makes it once more. Throws what the server refused. */
async function answered(
  state: ClientState,
  endpoint: Endpoint,
  args: AnyArgs,
  repeated = false,
): Promise<Response> {
  const response = await sentWithToken(state, endpoint, args)
  if (response.ok || response.status === 304) return response
  const problem = new Problem(response.status, await readJson(response).catch(() => null))
  const isOpen = endpoint.access === 'public' || endpoint.access === 'invite'
  if (response.status === 401 && !isOpen) {
    if (!repeated && (await isReplaced(state, endpoint))) return answered(state, endpoint, args, true)
    if (!args.quiet) state.onUnauthorized?.(endpoint)
  }
  if (problem.code === 'codes_needed') state.onCodesNeeded?.()
  if (problem.reauthenticate && !repeated && (await state.onReauthenticate?.()))
    return answered(state, endpoint, args, true)
  throw problem
}

/** Whether a read that was answered 401 began with a session that has been replaced since. */
async function isReplaced({ changing, stillSignedIn }: ClientState, { method }: Endpoint): Promise<boolean> {
  if (method !== 'GET' || !stillSignedIn) return false
  await Promise.allSettled(changing)
  return stillSignedIn()
}

/** Gets a new CSRF token and repeats the call, once, if its own was too old. */
async function sentWithToken(state: ClientState, endpoint: Endpoint, args: AnyArgs): Promise<Response> {
  const response = await sent(state, endpoint, args)
  if (response.status !== 419) return response
  const headers = { 'X-Requested-With': 'XMLHttpRequest', Accept: 'application/json' }
  await state.fetch(`${state.base}/session`, { headers }).catch(() => {})
  return sent(state, endpoint, args)
}

async function sent(state: ClientState, endpoint: Endpoint, args: AnyArgs): Promise<Response> {
  const sending = send(state, endpoint, args)
  if (endpoint.method === 'GET') return sending
  state.changing.add(sending)
  return sending.finally(() => state.changing.delete(sending))
}

async function send(state: ClientState, endpoint: Endpoint, args: AnyArgs): Promise<Response> {
  const { method } = endpoint
  const { signal, onUploadProgress: onProgress } = args
  const url = addressOf(state, endpoint, args)
  const { body, type } = encodeBody(endpoint, args.body)
  const headers = headersOf(state, method, url, args, type)
  try {
    if (onProgress && body instanceof FormData && !state.uploadsByFetch?.()) {
      // Fetched lazily, because most visits send no file.
      const { sendWithProgress } = await import(/* webpackChunkName: "upload" */ './upload.ts')
      return await sendWithProgress({ url, method, headers, body, signal, onProgress })
    }
    const sending: RequestInit & { onProgress: typeof onProgress } = {
      onProgress,
      method,
      headers,
      body: body ?? null,
      credentials: 'same-origin',
      // The browser caches no answers. This client caches those of polls until the page is left.
      cache: 'no-store',
      signal: signal ?? null,
    }
    return await state.fetch(url, sending)
  } catch (fault) {
    if (signal?.aborted) throw fault
    return brokenOff(fault)
  }
}

const addressOf = ({ base }: ClientState, { path }: Endpoint, { params, query }: AnyArgs) =>
  base + fillPath(path, params) + queryString(query)

function headersOf(
  { locale, userId, cache }: ClientState,
  method: Endpoint['method'],
  url: string,
  { poll, invite, form }: AnyArgs,
  type: string | undefined,
): Record<string, string> {
  const isRead = method === 'GET'
  const token = isRead ? null : antiForgeryToken()
  const user = isRead ? undefined : userId?.()
  return {
    'X-Requested-With': 'XMLHttpRequest',
    Accept: 'application/json',
    'Accept-Language': locale(),
    ...(type && { 'Content-Type': type }),
    ...(token && { 'X-XSRF-TOKEN': token }),
    ...(user && { 'X-User': String(user) }),
    ...(poll && { 'X-Poll': '1', ...cache.ask(locale() + url) }),
    ...(invite && { 'X-Invite': invite }),
    ...(form && { 'X-Form': form }),
  }
}
