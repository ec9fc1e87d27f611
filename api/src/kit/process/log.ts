import pino, { type Logger } from 'pino'
import { traceFields } from './telemetry.ts'

/** A logger that writes JSON lines to standard output. Errors are logged without the values of their statements. */
export const makeLog = (level: string, name: string): Logger =>
  pino({
    level,
    name,
    base: { name },
    mixin: traceFields,
    serializers: { err: withoutValues, error: withoutValues },
  })

type LoggedError = {
  type: string
  message: string
  code?: string
  constraint?: string
  statement?: string
  stack?: string
  cause?: LoggedError
}

/** Removes the parameters of a statement and the details of its error, which may contain names, phones and tokens. */
export function withoutValues(error: unknown): unknown {
  if (!(error instanceof Error)) return error
  const { code, constraint, statement } = error as Partial<LoggedError>
  const logged: LoggedError = { type: error.name, message: error.message }
  if (code) logged.code = code
  if (constraint) logged.constraint = constraint
  if (statement) logged.statement = statement
  const frames = error.stack?.split('\n').filter((line) => /^ {4}at /.test(line))
  if (frames?.length) logged.stack = frames.join('\n')
  if (error.cause instanceof Error) logged.cause = withoutValues(error.cause) as LoggedError
  return logged
}

/** An address that is encoded more often than this is not logged: nobody does so by mistake, and decoding it takes long. */
const encodedAtMost = 5

/** The address for the log: without its query, and without invites and reset tokens, which grant access (Cases 4.6). */
export function maskedUrl(url: string): string {
  return decoded(url.replace(/[?#].*$/s, ''))
    .replace(/(\/external\/cases\/)(?!(?:file|resolve)$)[^/]+/i, '$1***')
    .replace(/(\/password\/reset\/)[^/]+/i, '$1***')
}

/** The path as the router reads it. Whoever encodes it several times gets as far. */
function decoded(path: string): string {
  let known = path
  for (let n = 0; n <= encodedAtMost; n++) {
    const once = known.replace(/%([2-7][\da-f])/gi, (_, hex) => String.fromCharCode(Number.parseInt(hex, 16)))
    if (once === known) return known
    known = once
  }
  return '/***'
}
