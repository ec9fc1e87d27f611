/** What a consultant has typed and not sent. */
export type Draft = { comment: string; reason: string }

const empty: Draft = { comment: '', reason: '' }
// By the request's own id: the invite never stands in the browser's storage (Cases 4.5).
const key = (id: number) => `consultation-${id}`

/** The draft of a request, as this tab has it. */
export function readDraft(id: number): Draft {
  try {
    return { ...empty, ...(JSON.parse(sessionStorage.getItem(key(id)) ?? '{}') as Partial<Draft>) }
  } catch {
    return empty
  }
}

/** Keeps a draft until the tab is closed; a browser without storage keeps it on the page only. */
export function keepDraft(id: number, draft: Draft): void {
  try {
    sessionStorage.setItem(key(id), JSON.stringify(draft))
  } catch {
    // Storage may be full or forbidden, and the page works without it.
  }
}

/** Forgets a draft: it was sent, or the request has ended. */
export function clearDraft(id: number): void {
  try {
    sessionStorage.removeItem(key(id))
  } catch {
    // A browser without storage has no draft.
  }
}
