type Held = { etag: string; answer: unknown }

/** More than a page polls at once. */
const most = 20

/** The latest answers to timers, by address: the server says 304 where they still hold, and sends nothing. */
export function createHeldAnswers() {
  const answers = new Map<string, Held>()
  return {
    /** The header that asks whether the answer held still holds. */
    ask: (key: string): Record<string, string> => {
      const held = answers.get(key)
      return held ? { 'If-None-Match': held.etag } : {}
    },
    get: (key: string): unknown => answers.get(key)?.answer,
    keep(key: string, etag: string | null, answer: unknown): void {
      answers.delete(key)
      if (!etag) return
      answers.set(key, { etag, answer })
      const [oldest] = answers.keys()
      if (answers.size > most && oldest) answers.delete(oldest)
    },
  }
}
