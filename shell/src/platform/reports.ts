import type { BuildRef, Failed } from './builds.ts'
import type { Happened } from './send-reports.ts'

const waiting: Happened[] = []
let coming: Promise<unknown> | undefined

/** Milliseconds before the sender is fetched: a page load has time, after a failure the person may leave at once. */
const delayMs = { load: 1500, error: 0 }

function note(happened: Happened) {
  // A module from a developer's machine is not reported.
  if (happened.ref.override || waiting.length >= 50) return
  waiting.push(happened)
  if (coming) return
  coming = new Promise((resolve) => setTimeout(resolve, delayMs[happened.kind]))
    .then(() => import('./send-reports.ts'))
    .then(({ sendFrom }) => sendFrom(waiting))
    // The sender could not be fetched: the next report tries again.
    .catch(() => (coming = undefined))
}

const begun = new Map<string, number>()
/** The page that the document was asked for: its click was before the first script. */
let first: string | undefined = globalThis.location?.pathname

/** A page was asked for. */
export function begin(pathname: string): void {
  begun.set(pathname, pathname === first ? 0 : performance.now())
  first = undefined
}

/** The page that was asked for is drawn: counted once. `page` is the path of its route, which has no ids. */
export function reportLoad(ref: BuildRef, pathname: string, page: string): void {
  const from = begun.get(pathname)
  if (from === undefined) return
  begun.delete(pathname)
  note({ kind: 'load', ref, page, from, to: performance.now() })
}

/** Reports that a module could not be shown. Disabled and denied are no failures. */
export function reportFailure({ failure, reference, ref }: Failed, path: string): void {
  begun.delete(path)
  const { reason } = failure
  if (reason === 'disabled' || reason === 'denied') return
  const { reason: _, ...details } = failure
  note({ kind: 'error', ref, reason, reference, message: Object.values(details).join(' '), path })
}

/** A page of it broke while it was drawn, kept somebody waiting, or its code threw an error; or its frame did not come. */
export const reportFault = (
  ref: BuildRef,
  reason: 'crash' | 'slow' | 'uncaught' | 'unreachable',
  reference: string,
  message: string,
  path: string,
  stack?: string,
): void => note({ kind: 'error', ref, reason, reference, message, path, ...(stack && { stack }) })
