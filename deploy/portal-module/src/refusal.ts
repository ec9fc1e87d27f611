/** An error for the user of the command. The sentence says what to do, and no stack is shown. */
export class Refusal extends Error {}

/** The message of an error. */
export const messageOf = (fault: unknown): string => (fault instanceof Error ? fault.message : String(fault))
