import { carriedUntil } from '@portal/sdk/majors'
import type { RegistryModule } from '@portal/sdk/manifest'
import type { Runs } from './admissions.ts'
import type { RegistryParts } from './parts.ts'
import type { Entry, ShellFacts } from './schemas.ts'
import { readShell } from './surroundings.ts'
import { verifyEntry } from './verify.ts'

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
export async function readStatus(registry: RegistryParts): Promise<RegistryStatus> {
  const { generation, at, shell, modules } = await registry.generations.now()
  const facts = await readShell(registry.store, shell)
  const states = await Promise.all(modules.map((entry) => stateOf(registry, entry, facts)))
  return { generation, at, shell, modules: states }
}

async function stateOf(
  registry: RegistryParts,
  entry: Entry,
  shell: ShellFacts | null,
): Promise<ModuleState> {
  const { name, title, owner, contract, version, build, withheld, previous, canary, beside } =
    await verifyEntry(registry, entry)
  const record = await registry.builds.ofBuild(name, build)
  const state = entry.disabled ? 'disabled' : withheld ? 'withheld' : 'live'
  return {
    ...{ name, title, owner, contract, version, build, state, withheld: withheld ?? null },
    published_at: record?.at ?? null,
    published_by: record?.person ?? null,
    runs: await registry.admissions.runs(name, record),
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
