import type { Surroundings } from '@portal/sdk/gates/candidate'
import type { ModuleBuild } from '@portal/sdk/manifest'
import { type Builds, buildsOf } from './builds.ts'
import { RegistryRefusal } from './refusals.ts'
import { type Entry, type Generation, ShellFacts } from './schemas.ts'
import type { Store } from './store.ts'
import { readStored } from './stored-json.ts'
import { isOlder } from './versions.ts'

/** The facts about a shell that was released; null where they are not known. */
export async function readShell(store: Store, id: string | null): Promise<ShellFacts | null> {
  return id ? readStored(store, `shells/${id}.json`, ShellFacts) : null
}

/** The live shell and the previous one, which open tabs still run. */
export async function shellsOf(
  store: Store,
  live: Pick<Generation, 'shell' | 'previous_shell'>,
): Promise<ShellFacts[]> {
  const found = await Promise.all([live.shell, live.previous_shell].map((id) => readShell(store, id)))
  const shells = found.filter((shell) => shell !== null)
  if (shells.length) return shells
  throw new RegistryRefusal(
    409,
    'No release of the portal is live yet, so nothing can be held against it: npm start, or npm run registry -- release.',
  )
}

/** What the gates check a module against: the shell, the previous shell, its own builds that stay live, and the other modules. */
export async function surroundingsOf(
  { store, builds }: { store: Store; builds: Builds },
  live: Generation,
  of: Pick<ModuleBuild, 'name' | 'version'>,
): Promise<Surroundings> {
  const shells = await shellsOf(store, live)
  const entry = live.modules.find((each) => each.name === of.name)
  const own = entry
    ? buildsOf(entry).map(({ name, contract, version, collections, events }) => ({
        ...{ name, contract, version, collections, events },
        newer: isOlder(of.version, version),
      }))
    : []
  return { shells, own, others: await othersBeside(builds, live.modules, of.name) }
}

/** The builds of other modules: those that are live, for every major of the contract, and those that some people try as a canary. */
export async function othersBeside(builds: Builds, modules: Entry[], name?: string): Promise<ModuleBuild[]> {
  const running = modules
    .filter((entry) => entry.name !== name)
    .flatMap((entry) => [...buildsOf(entry), ...(entry.canary ? [entry.canary.module] : [])])
  const others = await Promise.all(running.map((module) => builds.details(module.name, module.build)))
  return others.filter((other) => other !== null)
}
