import { longAddressText, tooLargeText } from '@portal/contracts/over-limit'
import { fill, type Locale, say as saySentence, type Text } from '@portal/contracts/sentences'
import { databaseFault } from '../database/db.ts'
import { say } from './messages.ts'

/** The sentence of each faulty field: a key of the contracts' sentences, or a text of the api. */
export type FieldFaults = Record<string, string | Text>

/** A refused call: a status (Calls 2.1), a message in both languages, and sentences per field. */
export class Refusal extends Error {
  readonly status: number
  readonly text: Text
  readonly parts: (string | number)[]
  readonly errors: Record<string, (string | Text)[]> | undefined
  readonly headers: Record<string, string>
  /** The portal asks the person to re-authenticate and repeats the call (Access 2.4). */
  readonly reauthenticate: boolean
  /** Permissions of which one would have been enough, for the audit log. */
  readonly needs: readonly string[]
  /** What a program needs to know of a 503, or of a 403 until one-time codes are set up. */
  readonly code: string | undefined

  constructor(
    status: number,
    text: Text,
    options: {
      parts?: (string | number)[]
      errors?: Record<string, (string | Text)[]>
      headers?: Record<string, string>
      reauthenticate?: boolean
      needs?: readonly string[]
      code?: string
      /** What the log says besides the message. */
      cause?: Error
    } = {},
  ) {
    super(text.en, { cause: options.cause })
    this.status = status
    this.text = text
    this.parts = options.parts ?? []
    this.errors = options.errors
    this.headers = options.headers ?? {}
    this.reauthenticate = options.reauthenticate ?? false
    this.needs = options.needs ?? []
    this.code = options.code
  }

  /** The body of the answer in one language. */
  body(locale: Locale): {
    message: string
    errors?: Record<string, string[]>
    reauthenticate?: true
    code?: string
  } {
    const message = fill(this.text, locale, ...this.parts)
    if (this.reauthenticate) return { message, reauthenticate: true }
    if (this.code) return { message, code: this.code }
    if (!this.errors) return { message }
    const errors: Record<string, string[]> = {}
    for (const [field, faults] of Object.entries(this.errors)) {
      errors[field] = faults.map((fault) =>
        typeof fault === 'string' ? saySentence(fault, locale, field) : fill(fault, locale),
      )
    }
    return { message, errors }
  }
}

/** 401. */
export const signedOut = () => new Refusal(401, say.signIn)
/** 404, if something does not exist or this person may not see it. */
export const notFound = (text: Text = say.notFound) => new Refusal(404, text)
/**
 * A file that the storage should have and has not, or has damaged. It is a fault of ours, so the log says which file.
 */
export const fileLost = (cause: Error) => new Refusal(500, say.fileLost, { code: 'file_lost', cause })
/** Whether an error is that of a lost file, which another try would not find either. */
export const isLost = (error: unknown): error is Refusal =>
  error instanceof Refusal && error.code === 'file_lost'
/** Whether an error is that of a state which does not allow what was asked for. */
export const isConflict = (error: unknown): error is Refusal =>
  error instanceof Refusal && error.status === 409
/** A file whose row is kept without its content. */
export const fileDropped = () => notFound(say.fileDropped)
/** 403, with the reason. */
export const forbidden = (text: Text = say.forbidden) => new Refusal(403, text)
/** 403 without one of these permissions. */
export const lacking = (needs: readonly string[]) => new Refusal(403, say.forbidden, { needs })
/** 403 until the person has set up the one-time codes that a role of theirs asks for (Access 1.5). */
export const codesNeeded = () => new Refusal(403, say.codesNeeded, { code: 'codes_needed' })
/** 403 until the person has re-authenticated (Access 2.4). */
export const signInAnew = () => new Refusal(403, say.signInAnew, { reauthenticate: true })
/** 409, if the current state does not allow the call. */
export const conflict = (text: Text = say.conflict, ...parts: (string | number)[]) =>
  new Refusal(409, text, { parts })
/** 422, with a sentence per field. */
export const invalid = (fields: FieldFaults, general: Text = say.invalid) =>
  new Refusal(422, general, {
    errors: Object.fromEntries(Object.entries(fields).map(([field, fault]) => [field, [fault]])),
  })
/** 413, with the limit in bytes. */
export const tooLarge = (limit: number) => new Refusal(413, tooLargeText(limit))
/** 414. */
export const longAddress = () => new Refusal(414, longAddressText)
/** 429, with the seconds to wait. */
export const tooMany = (seconds: number) =>
  new Refusal(429, say.tooMany, { parts: [seconds], headers: { 'retry-after': String(seconds) } })

const constraints = new Map<string, { field: string; fault: string | Text }>()

/** Maps a violation of this constraint to a 422 at a field, for writes that race past a check. */
export function constraintFault(constraint: string, field: string, fault: string | Text = 'taken') {
  constraints.set(constraint, { field, fault })
}

/** Turns a thrown error into a refusal. Returns undefined for our own failures (500). */
export function asRefusal(error: unknown): Refusal | undefined {
  if (error instanceof Refusal) return error
  const fault = databaseFault(error)
  if (!fault?.code) return undefined
  const known = fault.constraint ? constraints.get(fault.constraint) : undefined
  // SQLSTATE class 23 is an integrity violation, 22 a value that the type cannot hold (a number out of range, a day of the year 0, NUL
  // in a text).
  if (known && fault.code.startsWith('23')) return invalid({ [known.field]: known.fault })
  if (fault.code === '23505') return conflict()
  if (fault.code === '23503') return conflict(say.inUse)
  if (['22021', '22P05', '22003', '22008', '54001'].includes(fault.code)) return new Refusal(422, say.invalid)
  if (fault.code === '40001' || fault.code === '40P01') return conflict()
  return undefined
}
