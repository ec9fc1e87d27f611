/** What went wrong, by what a person can do about it; `offline` is no answer at all. */
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

/** An answer that is not a success, or none (`status` 0, `message` empty). Thrown by every call. */
export class Problem extends Error {
  readonly status: number
  readonly kind: ProblemKind
  readonly errors: FieldErrors
  /** Reference for the log, where the fault is the server's. */
  readonly request_id: string | null
  /** The server wants to know first that it is still the same person. */
  readonly reauthenticate: boolean

  constructor(status: number, answer: unknown = null) {
    const said = isRecord(answer) ? answer : {}
    super(typeof said.message === 'string' ? said.message : '')
    this.name = 'Problem'
    this.status = status
    this.kind = kinds[status] ?? (status >= 500 || status < 400 ? 'server' : 'refused')
    this.errors = fieldErrors(said.errors)
    this.request_id = typeof said.request_id === 'string' ? said.request_id : null
    this.reauthenticate = said.reauthenticate === true
  }
}

/** Any thrown value as a Problem; a fault of our own counts as an answer that could not be read. */
export const asProblem = (thrown: unknown): Problem =>
  thrown instanceof Problem || isProblem(thrown) ? thrown : new Problem(200)

// Shell and modules each bundle this class: `instanceof` alone would not know the other's.
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
