import { carriedUntil } from '@portal/sdk/majors'
import type { RegistryModule } from '@portal/sdk/manifest'
import type { Admissions, Runs } from './admissions.ts'
import type { Builds } from './builds.ts'
import type { Generations } from './generations.ts'
import type { Keys, Revocations } from './keys.ts'
import type { Entry, ShellFacts } from './schemas.ts'
import type { Store } from './store.ts'
import { readShell } from './surroundings.ts'
import { verifyEntry } from './verify.ts'

type Ground = {
  store: Store
  generations: Generations
  builds: Builds
  keys: Keys
  revocations: Revocations
  admissions: Admissions
}

/** The state of a module. */
export type ModuleState = Pick<
  RegistryModule,
  'name' | 'title' | 'owner' | 'contract' | 'version' | 'build'
> & {
  published_at: string | null
  published_by: string | null
  state: 'live' | 'disabled' | 'withheld'
  withheld: RegistryModule['withheld']
  pinned: boolean
  canary: { version: string; build: string; percent: number | null; roles: string[] } | null
  previous: { version: string; build: string } | null
  /** Where its live build runs. */
  runs: Runs
  /** The last day on which the live shell runs it by the adapter for its major of the contract; null where it needs none. */
  carried_until: string | null
  /** Its builds for other majors of the contract, which other portals and open tabs run. */
  beside: { version: string; build: string; contract: string }[]
}

/** What is live, for people to look at. */
export type RegistryStatus = { generation: number; at: string; shell: string | null; modules: ModuleState[] }

/** The state of everything that is live. */
export async function readStatus(ground: Ground): Promise<RegistryStatus> {
  const { generation, at, shell, modules } = await ground.generations.now()
  const facts = await readShell(ground.store, shell)
  const states = await Promise.all(modules.map((entry) => stateOf(ground, entry, facts)))
  return { generation, at, shell, modules: states }
}

async function stateOf(ground: Ground, entry: Entry, shell: ShellFacts | null): Promise<ModuleState> {
  const { name, title, owner, contract, version, build, withheld, previous, canary, beside } =
    await verifyEntry(ground, entry)
  const record = await ground.builds.ofBuild(name, build)
  const state = entry.disabled ? 'disabled' : withheld ? 'withheld' : 'live'
  return {
    ...{ name, title, owner, contract, version, build, state, withheld: withheld ?? null },
    published_at: record?.at ?? null,
    published_by: record?.person ?? null,
    runs: await ground.admissions.runs(name, record),
    carried_until: shell && carriedUntil(contract, shell),
    pinned: entry.pinned ?? false,
    canary: canary
      ? {
          version: canary.module.version,
          build: canary.module.build,
          percent: canary.percent,
          roles: canary.roles,
        }
      : null,
    previous: previous && { version: previous.version, build: previous.build },
    beside: (beside ?? []).map((each) => ({
      version: each.version,
      build: each.build,
      contract: each.contract,
    })),
  }
}
