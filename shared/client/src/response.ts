import { Problem } from './problem.ts'

/** For a call that was cut off: throws an AbortError as it is, and any other error as a `Problem` without a status (no answer). */
export function brokenOff(fault: unknown): never {
  if (fault instanceof DOMException && fault.name === 'AbortError') throw fault
  throw new Problem(0)
}

/** The body of an answer; null if it has none. */
export async function readJson(response: Response): Promise<unknown> {
  if (response.status === 204) return null
  const text = await response.text().catch(brokenOff)
  try {
    return JSON.parse(text)
  } catch {
    // A web page of a proxy, not an answer of the server.
    throw new Problem(response.status)
  }
}

/** The name under which a file is saved. */
export function fileName(disposition: string | null): string {
  const encoded = /filename\*=UTF-8''([^;]+)/i.exec(disposition ?? '')?.[1]
  if (encoded) return decodeURIComponent(encoded)
  return /filename="?([^";]+)/i.exec(disposition ?? '')?.[1] ?? 'file'
}
