import type { Check } from './portal.ts'
import { messageOf } from './refusal.ts'

/** Runs a check and returns its finding: the text of the check, or the message of its error. */
export async function finding(gate: string, attempt: () => Promise<string>): Promise<Check> {
  try {
    return { gate, ok: true, text: await attempt() }
  } catch (fault) {
    return { gate, ok: false, text: messageOf(fault) }
  }
}
