import type { BuildRef } from './builds.ts'
import { newReference } from './failures.ts'
import { reportFault } from './reports.ts'
import { tabRouter } from './tab-router.ts'

/** Builds whose code has run on this page, by the address that stacks have of their files. */
const builds = new Map<string, BuildRef>()

/** Errors that are no faults of the code: refusals of calls, and aborted calls. */
const usual = ['Problem', 'AbortError']

/** From now on reports what this build throws and nobody catches, and what it gives to the browser's own `reportError`. */
export function watchThrown(ref: BuildRef): void {
  if (builds.size === 0) {
    window.addEventListener('error', ({ error }) => report(error))
    window.addEventListener('unhandledrejection', ({ reason }) => report(reason))
  }
  builds.set(ref.base, ref)
}

/** Reports an error to the module whose code is innermost in its stack. An error without such a place is not a module's. */
function report(fault: unknown) {
  if (!(fault instanceof Error) || usual.includes(fault.name)) return
  const { message, stack = '' } = fault
  const base = stack.match(/\/modules\/[a-z0-9-]+\/[0-9a-f]+\//)?.[0] ?? ''
  const ref = builds.get(base)
  if (!ref) return
  const { pathname } = tabRouter()?.state.location ?? window.location
  reportFault(ref, 'uncaught', newReference(), message, pathname, stack)
}
