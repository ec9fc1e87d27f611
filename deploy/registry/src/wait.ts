import { setTimeout as pause } from 'node:timers/promises'

export type Waiting = {
  /** What is waited for, such as "the database at 10.0.0.5:5432". */
  what: string
  limitMs: number
  /** Whether the same error would come again, so that nobody has to wait for it. */
  isFinal: (error: unknown) => boolean
  tell: (line: string) => void
}

/** What did not answer in time. The message is for whoever operates the portal. */
export class StillAway extends Error {}

const betweenMs = 500
const seconds = (ms: number) => Math.round(ms / 1000)

/**
 * Repeats an attempt until it succeeds, and says what it waits for. Programs start before what they need after a power cut,
 * and a supervisor does not start again what depends on a program that failed.
 */
export async function waitFor<T>(attempt: () => Promise<T>, waiting: Waiting): Promise<T> {
  const { what, limitMs, isFinal, tell } = waiting
  const began = performance.now()
  const reported = new Set<string>()
  for (;;) {
    try {
      const result = await attempt()
      if (reported.size > 0)
        tell(`${sentenceCase(what)} answers, after ${seconds(performance.now() - began)} s.`)
      return result
    } catch (error) {
      if (isFinal(error)) throw error
      const reason = reasonOf(error)
      if (performance.now() - began >= limitMs)
        throw new StillAway(
          `${sentenceCase(what)} did not answer within ${seconds(limitMs)} s (${reason}). Nothing was done.`,
          { cause: error },
        )
      if (!reported.has(reason)) tell(`Waiting for ${what}, ${seconds(limitMs)} s at most: ${reason}`)
      reported.add(reason)
    }
    await pause(betweenMs)
  }
}

const sentenceCase = (text: string) => text.charAt(0).toUpperCase() + text.slice(1)

/** The code of the network if there is one, because its message has the address again. */
function reasonOf(error: unknown): string {
  const { code, cause, message } = error as { code?: string; cause?: { code?: string }; message?: string }
  return cause?.code ?? code ?? message ?? String(error)
}
