import { openAdmissions } from './admissions.ts'
import { isCanary, openRunning } from './audience.ts'
import { buildsInUse, openBuilds } from './builds.ts'
import { type AskedBuild, openChanges } from './changes/changes.ts'
import { decideTrust } from './decide-trust.ts'
import { openGenerations } from './generations.ts'
import { differences, historyOf } from './history.ts'
import { openKeys, openRevocations } from './keys.ts'
import { openLog } from './log.ts'
import type { RegistryParts } from './parts.ts'
import { RegistryRefusal } from './refusals.ts'
import type { BuildRecord, Generation } from './schemas.ts'
import { readStatus } from './status.ts'
import { type Step, wasTaken } from './steps.ts'
import type { Store } from './store.ts'
import { openTrust, verifyEntry } from './verify.ts'
import { waitingBuilds } from './waiting-builds.ts'

/** Settings of a registry. */
export type RegistryOptions = {
  store: Store
  /** Called with each problem that is found. Processing continues. */
  fault?: (message: string) => void
}

/** Changes that an administrator makes in the portal. `by` is the name for the history. */
export type AskedChange = {
  name: string
  action: 'enable' | 'disable' | 'rollback'
  /** The generation on the screen. If it is outdated, the call gets 409. */
  generation: number
  by: string
  /** The portal's id of the step (steps.ts). */
  step?: string | undefined
}

/**
 * What is live and verified, the builds of it (`<module>/<build>`) that may run in the portal's own page, and those of them that
 * are not of the product.
 */
export type Verified = Generation & { inPage: ReadonlySet<string>; ofPartners: ReadonlySet<string> }

export type PortalRegistry = ReturnType<typeof openRegistry>

/**
 * The registry in a store. Any number of processes may open it, because all state is in the store.
 * `now()` is what is live; `status()`, `history(name)` and `diff(from, to)` are for people; `change(…)` is for
 * administrators; the rest is for the service and the gateway. Throws `RegistryRefusal {status, message}`.
 */
export function openRegistry({ store, fault }: RegistryOptions) {
  const generations = openGenerations(store, fault)
  const parts: RegistryParts = {
    ...{ store, generations, builds: openBuilds(store), keys: openKeys(store) },
    ...{ revocations: openRevocations(store), admissions: openAdmissions(store) },
  }
  const changes = openChanges(parts)
  const log = openLog(store, generations)
  const trusted = openTrust(parts)

  return {
    ...parts,
    changes,
    log,
    now: generations.now,
    status: () => readStatus(parts),
    history: (name: string) => historyOf(generations, name),
    diff: (from: number, to: number) => differences(generations, from, to),
    change({ action, ...asked }: AskedChange): Promise<Generation> {
      const act = { enable: changes.enable, disable: changes.disable, rollback: changes.rollback }[action]
      if (!act) throw new RegistryRefusal(422, 'An administrator may enable, disable or roll back a module.')
      return act(asked)
    },
    admit: (asked: AskedAdmission) => admitAndLog(changes, log, asked),
    decideTrust: (asked: AskedBuild & { trusted: boolean }) => decideAndLog(parts, log, asked),
    /** Whether a step of the portal has changed the registry. */
    wasTaken: (step: Step) => wasTaken(parts, step),
    /** The builds of partners that an administrator has to look at. */
    waiting: () => waitingBuilds(parts),
    verified: () => readVerified(parts),
    /** Whether a published build may still be run. */
    trusted,
    isCanary,
    /** Whether a person may run a build, as things stand in a verified generation. */
    mayRun: openRunning({ ...parts, trusted }),
  }
}

type Changes = ReturnType<typeof openChanges>
type AskedAdmission = Parameters<Changes['admit']>[0]
type Log = ReturnType<typeof openLog>

const named = ({ name, version, build }: BuildRecord) => `${name} ${version} (${build})`

/**
 * Admits a build, to run in a frame or trusted, and writes it into the log of the registry. `admitted` is false if it was
 * admitted before, which then counts.
 */
async function admitAndLog(changes: Changes, log: Log, asked: AskedAdmission) {
  const { record, admitted } = await changes.admit(asked)
  const message = `${named(record)}${asked.trusted ? ', trusted' : ''}`
  if (admitted) await log.write({ by: asked.by, what: 'admit', ok: true, message })
  return { record, admitted }
}

/** Trusts an admitted build or takes that back, and writes it into the log of the registry. */
async function decideAndLog(registry: RegistryParts, log: Log, asked: AskedBuild & { trusted: boolean }) {
  const { record, changed } = await decideTrust(registry, asked)
  const what = asked.trusted ? 'trust' : 'isolate'
  if (changed) await log.write({ by: asked.by, what, ok: true, message: named(record) })
  return { record, changed }
}

/** What is live, with every entry verified: signature, revocations, build.json. */
async function readVerified(registry: RegistryParts): Promise<Verified> {
  const { generations, builds, admissions } = registry
  const live = await generations.now()
  const modules = await Promise.all(live.modules.map((entry) => verifyEntry(registry, entry)))
  const inPage = new Set<string>()
  const ofPartners = new Set<string>()
  for (const entry of modules)
    for (const build of buildsInUse(entry)) {
      const runs = await admissions.runs(entry.name, await builds.ofBuild(entry.name, build))
      if (runs !== 'isolated') inPage.add(`${entry.name}/${build}`)
      if (runs === 'trusted') ofPartners.add(`${entry.name}/${build}`)
    }
  return { ...live, modules, inPage, ofPartners }
}
