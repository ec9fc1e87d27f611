import type { Admissions } from './admissions.ts'
import type { Builds } from './builds.ts'
import type { Generations } from './generations.ts'
import type { Keys, Revocations } from './keys.ts'
import type { Store } from './store.ts'

/** What a registry consists of: its store, and what is kept there. Whoever needs only some of it says which. */
export type RegistryParts = {
  store: Store
  generations: Generations
  builds: Builds
  keys: Keys
  revocations: Revocations
  admissions: Admissions
}
