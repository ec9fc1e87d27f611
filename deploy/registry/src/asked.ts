import * as v from 'valibot'
import { RegistryRefusal } from './refusals.ts'

/** The generation on the screen of whoever asks. */
export const Seen = v.object({ generation: v.number() })
export const Promotion = v.object({
  ...Seen.entries,
  version: v.string(),
  /** Whether the version may be older than the one that is live. */
  downgrade: v.optional(v.boolean()),
  canary: v.optional(
    v.union([
      v.strictObject({ percent: v.pipe(v.number(), v.minValue(1), v.maxValue(99)) }),
      v.strictObject({ roles: v.pipe(v.array(v.string()), v.minLength(1)) }),
    ]),
  ),
})
/** `contract` is the major of the contract whose build goes back, where the module has several. */
export const Rollback = v.object({ ...Seen.entries, contract: v.optional(v.pipe(v.number(), v.integer())) })
export const Revoking = v.object({ version: v.string(), reason: v.pipe(v.string(), v.nonEmpty()) })

/** Reads a body; a wrong one is refused with its first fault. */
export function read<S extends v.GenericSchema>(schema: S, body: Buffer): v.InferOutput<S> {
  let given: unknown
  try {
    given = JSON.parse(body.toString() || '{}')
  } catch {
    throw new RegistryRefusal(422, 'The body is not JSON.')
  }
  const found = v.safeParse(schema, given)
  if (found.success) return found.output
  const [issue] = found.issues
  throw new RegistryRefusal(422, `${v.getDotPath(issue) ?? 'The body'}: ${issue.message}`)
}
