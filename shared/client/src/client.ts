import type { AnswerOf, BodyOf, Endpoint, ParamsOf, QueryOf } from '@portal/contracts/endpoint'
import { createEtagCache } from './etag-cache.ts'
import { Problem } from './problem.ts'
import { antiForgeryToken, encodeBody, fillPath, queryString } from './request.ts'

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
}

/** Makes the client that shell and modules share. It sets no time-out of its own. */
export function createClient(options: ClientOptions): Client {
  const cache = createEtagCache()
  /** The changes under way. The answer to one of them may bring the cookie of a new session. */
  const changing = new Set<Promise<unknown>>()
  const {
    base,
    locale,
    userId,
    onUnauthorized,
    stillSignedIn,
    onCodesNeeded,
    onReauthenticate,
    uploadsByFetch,
    fetch = (...args) => globalThis.fetch(...args),
  } = options

  const addressOf = (endpoint: Endpoint, args: AnyArgs) =>
    base + fillPath(endpoint.path, args.params) + queryString(args.query)

  async function sent(endpoint: Endpoint, args: AnyArgs): Promise<Response> {
    const sending = send(endpoint, args)
    if (endpoint.method === 'GET') return sending
    changing.add(sending)
    return sending.finally(() => changing.delete(sending))
  }

  /** Whether a read that was answered 401 began with a session that has been replaced since. */
  async function isReplaced(endpoint: Endpoint): Promise<boolean> {
    if (endpoint.method !== 'GET' || !stillSignedIn) return false
    await Promise.allSettled(changing)
    return stillSignedIn()
  }

  async function send(endpoint: Endpoint, args: AnyArgs): Promise<Response> {
    const url = addressOf(endpoint, args)
    const { body, type } = encodeBody(endpoint, args.body)
    const token = endpoint.method === 'GET' ? null : antiForgeryToken()
    const user = endpoint.method === 'GET' ? undefined : userId?.()
    const headers: Record<string, string> = {
      'X-Requested-With': 'XMLHttpRequest',
      Accept: 'application/json',
      'Accept-Language': locale(),
      ...(type && { 'Content-Type': type }),
      ...(token && { 'X-XSRF-TOKEN': token }),
      ...(user && { 'X-User': String(user) }),
      ...(args.poll && { 'X-Poll': '1', ...cache.ask(locale() + url) }),
      ...(args.invite && { 'X-Invite': args.invite }),
    }
    try {
      if (args.onUploadProgress && body instanceof FormData && !uploadsByFetch?.()) {
        const { signal, onUploadProgress: onProgress } = args
        // Fetched lazily, because most visits send no file.
        const { sendWithProgress } = await import(/* webpackChunkName: "upload" */ './upload.ts')
        return await sendWithProgress({ url, method: endpoint.method, headers, body, signal, onProgress })
      }
      const sending: RequestInit & { onProgress: AnyArgs['onUploadProgress'] } = {
        onProgress: args.onUploadProgress,
        method: endpoint.method,
        headers,
        body: body ?? null,
        credentials: 'same-origin',
        // The browser caches no answers. This client caches those of polls until the page is left.
        cache: 'no-store',
        signal: args.signal ?? null,
      }
      return await fetch(url, sending)
    } catch (fault) {
      if (args.signal?.aborted || (fault instanceof DOMException && fault.name === 'AbortError')) throw fault
      throw new Problem(0)
    }
  }

  async function answered(endpoint: Endpoint, args: AnyArgs, repeated = false): Promise<Response> {
    let response = await sent(endpoint, args)
    if (response.status === 419) {
      // Get a new CSRF token and repeat the call, once.
      await fetch(`${base}/session`, {
        headers: { 'X-Requested-With': 'XMLHttpRequest', Accept: 'application/json' },
      }).catch(() => {})
      response = await sent(endpoint, args)
    }
    if (response.ok || response.status === 304) return response
    const problem = new Problem(response.status, await readJson(response).catch(() => null))
    const isOpen = endpoint.access === 'public' || endpoint.access === 'invite'
    if (response.status === 401 && !isOpen) {
      if (!repeated && (await isReplaced(endpoint))) return answered(endpoint, args, true)
      if (!args.quiet) onUnauthorized?.(endpoint)
    }
    if (problem.code === 'codes_needed') onCodesNeeded?.()
    if (problem.reauthenticate && !repeated && (await onReauthenticate?.()))
      return answered(endpoint, args, true)
    throw problem
  }

  return {
    async call(endpoint, ...[args]) {
      const given = (args ?? {}) as AnyArgs
      const response = await answered(endpoint, given)
      const key = locale() + addressOf(endpoint, given)
      const read = async () => {
        const answer = await readJson(response)
        if (given.poll) cache.keep(key, response.headers.get('etag'), answer)
        return answer
      }
      return (response.status === 304 ? cache.get(key) : await read()) as AnswerOf<typeof endpoint>
    },
    async file(endpoint, ...[args]) {
      const response = await answered(endpoint, (args ?? {}) as AnyArgs)
      if (response.status === 202) {
        const { rows_done, rows_total } = (await readJson(response)) as {
          rows_done: number
          rows_total: number
        }
        return { ready: false, rows_done, rows_total }
      }
      const blob = await response.blob().catch(brokenOff)
      return { ready: true, blob, name: fileName(response.headers.get('content-disposition')) }
    },
  }
}

function brokenOff(fault: unknown): never {
  if (fault instanceof DOMException && fault.name === 'AbortError') throw fault
  throw new Problem(0)
}

async function readJson(response: Response): Promise<unknown> {
  if (response.status === 204) return null
  const text = await response.text().catch(brokenOff)
  try {
    return JSON.parse(text)
  } catch {
    // A web page of a proxy, not an answer of the server.
    throw new Problem(response.status)
  }
}

function fileName(disposition: string | null): string {
  const encoded = /filename\*=UTF-8''([^;]+)/i.exec(disposition ?? '')?.[1]
  if (encoded) return decodeURIComponent(encoded)
  return /filename="?([^";]+)/i.exec(disposition ?? '')?.[1] ?? 'file'
}
