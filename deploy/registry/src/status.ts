import { carriedUntil } from '@portal/sdk/majors'
import type { RegistryModule } from '@portal/sdk/manifest'
import type { Admissions, Runs } from './admissions.ts'
import { type Builds, buildsOf } from './builds.ts'
import type { Generations } from './generations.ts'
import type { Keys, Revocations } from './keys.ts'
import type { Entry, Generation, ShellFacts } from './schemas.ts'
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

/** One change of the live build of a module. */
export type Change = {
  generation: number
  at: string
  by: string
  what: Generation['what'] | 'publish'
  version: string
  build: string
}

/** The state and history of the registry, for people. */
export function openStatus(ground: Ground) {
  const { generations, builds, admissions } = ground

  async function stateOf(entry: Entry, shell: ShellFacts | null): Promise<ModuleState> {
    const { name, title, owner, contract, version, build, withheld, previous, canary, beside } =
      await verifyEntry(ground, entry)
    const record = await builds.ofBuild(name, build)
    const state = entry.disabled ? 'disabled' : withheld ? 'withheld' : 'live'
    return {
      ...{ name, title, owner, contract, version, build, state, withheld: withheld ?? null },
      published_at: record?.at ?? null,
      published_by: record?.person ?? null,
      runs: await admissions.runs(name, record),
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

  async function status(): Promise<RegistryStatus> {
    const { generation, at, shell, modules } = await generations.now()
    const facts = await readShell(ground.store, shell)
    const states = await Promise.all(modules.map((entry) => stateOf(entry, facts)))
    return { generation, at, shell, modules: states }
  }

  /** Changes of one module, newest first; the last hundred. */
  async function history(name: string): Promise<Change[]> {
    const found: Change[] = []
    let after: Generation | undefined
    const entryOf = (one: Generation | undefined) => one?.modules.find((each) => each.name === name)
    const look = (one: Generation, before: Generation | undefined) => {
      const entry = entryOf(one) ?? entryOf(before)
      const concerned =
        one.module === name || (one.what === 'release' && entryOf(one)?.build !== entryOf(before)?.build)
      if (!entry || !concerned) return
      const { version, build } =
        one.what === 'canary' ? (entry.canary?.module ?? entry) : changed(entry, entryOf(before))
      found.push({ generation: one.generation, at: one.at, by: one.by, what: one.what, version, build })
    }
    for await (const one of generations.down()) {
      if (after) look(after, one)
      after = one
      if (found.length === 100) return found
    }
    if (after) look(after, undefined)
    return found
  }

  /** Differences between two generations, by module; null if one of them does not exist. */
  async function diff(from: number, to: number) {
    const [a, b] = await Promise.all([generations.read(from), generations.read(to)])
    if (!a || !b) return null
    const names = [...new Set([...a.modules, ...b.modules].map((each) => each.name))].sort()
    const short = (one: Generation, name: string) => {
      const entry = one.modules.find((each) => each.name === name)
      if (!entry) return null
      const { version, build, disabled, pinned, canary, beside } = entry
      const newer = canary && { version: canary.module.version, percent: canary.percent, roles: canary.roles }
      const others = beside?.map((each) => each.version)
      return {
        ...{ version, build, disabled, pinned: pinned ?? false, canary: newer ?? null },
        ...(others && { beside: others }),
      }
    }
    const modules = names.flatMap((name) => {
      const [before, after] = [short(a, name), short(b, name)]
      return JSON.stringify(before) === JSON.stringify(after) ? [] : [{ name, before, after }]
    })
    return { from, to, shell: { before: a.shell, after: b.shell }, modules }
  }

  return { status, history, diff }
}

/** The build that a change was about: of several majors the one that was not live before. */
function changed(entry: Entry, before: Entry | undefined) {
  const known = before ? buildsOf(before).map(({ build }) => build) : []
  return buildsOf(entry).find(({ build }) => !known.includes(build)) ?? entry
}
