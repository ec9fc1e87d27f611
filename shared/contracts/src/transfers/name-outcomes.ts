import * as v from 'valibot'
import { instant } from '../fields.ts'

/**
 * What an agency says of a name: it agrees; nearly, or as far as the agency shows; it is another one; the number has no
 * active account; the agency knows no name. What a person should look at comes first.
 */
export const nameOutcomes = ['different', 'not_found', 'near', 'not_told', 'match'] as const
export type NameOutcome = (typeof nameOutcomes)[number]
/** What says that the number is not the recipient's. Such rows are flagged in the list of a cohort. */
export const differingNames = ['different', 'not_found'] as const satisfies readonly NameOutcome[]
/** With the rows about which the agency has not been asked. */
export const nameStates = [...nameOutcomes, 'unchecked'] as const
export type NameState = (typeof nameStates)[number]

/** What the agency says about one number and name. */
export const NameAnswer = v.object({
  /** Null: it gave no answer, and `problem` says why. */
  outcome: v.nullable(v.picklist(nameOutcomes)),
  /** The name that the agency tells; null if it tells none. */
  holder: v.nullable(v.string()),
  answered_at: v.nullable(instant),
  problem: v.nullable(v.string()),
})
export type NameAnswer = v.InferOutput<typeof NameAnswer>
