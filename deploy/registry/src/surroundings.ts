import * as v from 'valibot'
import type { Candidate } from './gates.ts'
import { RegistryRefusal } from './refusals.ts'
import type { PortalRegistry } from './registry.ts'
import { type Generation, ShellFacts } from './schemas.ts'

/** What the gates check a module against: the shell, the previous shell, and the other modules that are live, for everybody or as a canary. */
export async function surroundingsOf(
  { store, builds }: Pick<PortalRegistry, 'store' | 'builds'>,
  live: Generation,
  name?: string,
): Promise<Pick<Candidate, 'shells' | 'others'>> {
  const readShell = async (id: string | null) => {
    const data = id ? await store.read(`shells/${id}.json`) : null
    const found = data ? v.safeParse(ShellFacts, JSON.parse(data.toString())) : null
    return found?.success ? found.output : null
  }
  const found = await Promise.all([readShell(live.shell), readShell(live.previous_shell)])
  const shells = found.filter((shell) => shell !== null)
  if (!shells.length) {
    throw new RegistryRefusal(
      409,
      'No release of the portal is live yet, so nothing can be held against it: npm start, or npm run registry -- release.',
    )
  }
  const beside = live.modules.filter((module) => module.name !== name)
  const running = beside.flatMap((entry) => [entry, ...(entry.canary ? [entry.canary.module] : [])])
  const others = await Promise.all(running.map((module) => builds.details(module.name, module.build)))
  return { shells, others: others.filter((other) => other !== null) }
}
