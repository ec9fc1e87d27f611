import type { BuildRef } from './builds.ts'
import { newReference } from './failures.ts'
import { reportFault } from './reports.ts'
import { tabRouter } from './tab-router.ts'

/** Builds whose code has run on this page, by the address that stacks have of their files. */
const builds = new Map<string, BuildRef>()

/** What a call answered, and what was given up, are no faults of the code that asked. */
const usual = ['Problem', 'AbortError']

/** From now on reports what this build throws and nobody catches, and what it gives to the browser's own `reportError`. */
export function watchThrown(ref: BuildRef): void {
  if (builds.size === 0) {
    window.addEventListener('error', ({ error }) => report(error))
    window.addEventListener('unhandledrejection', ({ reason }) => report(reason))
  }
  builds.set(ref.base, ref)
}

/** The stack says whose it is: the innermost place in the code of a module. What has none is not a module's. */
function report(fault: unknown) {
  if (!(fault instanceof Error) || usual.includes(fault.name)) return
  const { message, stack = '' } = fault
  const base = stack.match(/\/modules\/[a-z0-9-]+\/[0-9a-f]+\//)?.[0] ?? ''
  const ref = builds.get(base)
  if (!ref) return
  const { pathname } = tabRouter()?.state.location ?? window.location
  reportFault(ref, 'uncaught', newReference(), message, pathname, stack)
}
