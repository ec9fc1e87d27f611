/** What the command does not do, with the sentence that says what to do instead. Shown without a stack. */
export class Refusal extends Error {}

/** What went wrong, in words. */
export const messageOf = (fault: unknown): string => (fault instanceof Error ? fault.message : String(fault))
