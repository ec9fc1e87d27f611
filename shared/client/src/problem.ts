/** Kinds of failures, by what a person can do about them; `offline` means that no answer came. */
export type ProblemKind =
  | 'offline'
  | 'signed-out'
  | 'forbidden'
  | 'missing'
  | 'invalid'
  | 'refused'
  | 'server'

/** First message per field is the one to show (Calls 2.2). */
export type FieldErrors = Record<string, string[]>

const kinds: Record<number, ProblemKind> = {
  0: 'offline',
  401: 'signed-out',
  403: 'forbidden',
  404: 'missing',
  422: 'invalid',
}

/** A failed call: an answer that is no success, or no answer (`status` 0, `message` empty). */
export class Problem extends Error {
  readonly status: number
  readonly kind: ProblemKind
  /** No answer came, and the browser knew that there is no connection. */
  readonly disconnected: boolean
  readonly errors: FieldErrors
  /** Reference for the log, where the fault is the server's. */
  readonly request_id: string | null
  /** What a program needs to know of a refusal, such as `codes_needed`. */
  readonly code: string | null
  /** The server asks to re-authenticate first. */
  readonly reauthenticate: boolean

  constructor(status: number, answer: unknown = null) {
    const body = isRecord(answer) ? answer : {}
    super(typeof body.message === 'string' ? body.message : '')
    this.name = 'Problem'
    this.status = status
    this.kind = kinds[status] ?? (status >= 500 || status < 400 ? 'server' : 'refused')
    this.disconnected = status === 0 && globalThis.navigator?.onLine === false
    this.errors = fieldErrors(body.errors)
    this.request_id = typeof body.request_id === 'string' ? body.request_id : null
    this.code = typeof body.code === 'string' ? body.code : null
    this.reauthenticate = body.reauthenticate === true
  }
}

/** Any thrown value as a Problem; our own errors count as an unreadable answer. */
export const asProblem = (thrown: unknown): Problem =>
  thrown instanceof Problem || isProblem(thrown) ? thrown : new Problem(200)

// Shell and modules each bundle this class, so `instanceof` alone would miss the other's instances.
const isProblem = (thrown: unknown): thrown is Problem =>
  thrown instanceof Error && thrown.name === 'Problem' && 'kind' in thrown

const isRecord = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null && !Array.isArray(value)

function fieldErrors(errors: unknown): FieldErrors {
  if (!isRecord(errors)) return {}
  const read: FieldErrors = {}
  for (const [field, messages] of Object.entries(errors)) {
    const words = (Array.isArray(messages) ? messages : [messages]).filter((word) => typeof word === 'string')
    if (words.length > 0) read[field] = words
  }
  return read
}
