import { setTimeout as pause } from 'node:timers/promises'

/** Looks again and again until there is something to return. Throws after `seconds`. */
export async function until<T>(look: () => Promise<T | undefined>, seconds: number): Promise<T> {
  for (const end = Date.now() + seconds * 1000; ; await pause(25)) {
    const found = await look()
    if (found !== undefined) return found
    if (Date.now() > end) throw new Error(`It did not happen in ${seconds} s`)
  }
}
