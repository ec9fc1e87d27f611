import { createHost, givenVersions } from '@portal/sdk/federation'
import { guardRemotes } from './federation-guard.ts'
import { readGiven } from './given.ts'

/** The federation runtime of the page, guarded. */
export const { loadBuild } = createHost({
  plugins: [guardRemotes()],
  // The gateway says so of a page in development.
  forTools: document.documentElement.hasAttribute('data-development'),
})

export { givenVersions, readGiven }
