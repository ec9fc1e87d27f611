import { createHost, givenVersions } from '@portal/sdk/federation'
import { guardRemotes } from './federation-guard.ts'

/** The federation runtime of the page, guarded. */
export const { loadBuild } = createHost(guardRemotes())

export { givenVersions }
