/** What this browser remembers under a key; null also where storage is forbidden. */
export function readStored(key: string): string | null {
  try {
    return localStorage.getItem(key)
  } catch {
    return null
  }
}

/** Remembers a text in this browser; null forgets it. Where storage is forbidden or full, a choice lasts as long as the page. */
export function writeStored(key: string, text: string | null): void {
  try {
    if (text === null) localStorage.removeItem(key)
    else localStorage.setItem(key, text)
  } catch {
    // Only the stored choice is lost.
  }
}
