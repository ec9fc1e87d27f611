import type { Check } from './portal.ts'
import { messageOf } from './refusal.ts'

/** One finding for a thing that was tried: what it says when it went well, or what went wrong. */
export async function finding(gate: string, attempt: () => Promise<string>): Promise<Check> {
  try {
    return { gate, ok: true, text: await attempt() }
  } catch (fault) {
    return { gate, ok: false, text: messageOf(fault) }
  }
}
