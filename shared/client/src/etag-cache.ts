type Cached = { etag: string; answer: unknown }

/** Entries of the cache: more than a page polls at once. */
const most = 20

/** A cache of the latest answers to polls, by address: for an unchanged one the server answers 304 without a body. */
export function createEtagCache() {
  const answers = new Map<string, Cached>()
  return {
    /** The If-None-Match header for the cached answer. */
    ask: (key: string): Record<string, string> => {
      const cached = answers.get(key)
      return cached ? { 'If-None-Match': cached.etag } : {}
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
