import pino, { type Logger } from 'pino'

/** A logger of JSON lines on standard output; errors without the values a statement was run with. */
export const makeLog = (level: string, name: string): Logger =>
  pino({ level, name, base: { name }, serializers: { err: withoutValues, error: withoutValues } })

type Told = {
  type: string
  message: string
  code?: string
  constraint?: string
  stack?: string
  cause?: Told
}

/** Names, phones and tokens stand in the parameters of a statement and in the details of its error: neither is told. */
export function withoutValues(error: unknown): unknown {
  if (!(error instanceof Error)) return error
  const { code, constraint } = error as { code?: string; constraint?: string }
  const [message = ''] = error.message.split('\nparams:')
  const told: Told = { type: error.name, message }
  if (code) told.code = code
  if (constraint) told.constraint = constraint
  const frames = error.stack?.split('\n').filter((line) => /^ {4}at /.test(line))
  if (frames?.length) told.stack = frames.join('\n')
  if (error.cause instanceof Error) told.cause = withoutValues(error.cause) as Told
  return told
}

/**
 * The address as it may be logged: without its query, and without what lets one in; whoever holds an invite or a
 * reset token acts with it (Cases 4.6).
 */
export function maskedUrl(url: string): string {
  return url
    .replace(/[?#].*$/s, '')
    .replace(/(\/external\/cases\/)(?!(?:file|resolve)$)[^/]+/, '$1***')
    .replace(/(\/password\/reset\/)[^/]+/, '$1***')
}
