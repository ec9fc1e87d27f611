import { contractFor, majorOf } from '@portal/sdk/majors'
import { buildFor, placedByMajor } from '../arrange.ts'
import { asPrevious, buildsOf } from '../builds.ts'
import type { Next } from '../generations.ts'
import type { RegistryParts } from '../parts.ts'
import { RegistryRefusal } from '../refusals.ts'
import type { BuildRecord, Entry, Generation } from '../schemas.ts'
import { isOlder } from '../versions.ts'
import { type Asked, placed } from './entry-change.ts'
import { moduleOf, offerOf, publishedOrRefuse } from './gates.ts'

/** Who gets a newer build first: a share of the people, or roles by name. */
export type CanaryShare = { percent: number } | { roles: string[] }

/** Makes a published build live, for everybody or as a canary. An older one than the live one needs `downgrade`. */
export async function promote(
  registry: RegistryParts,
  asked: Asked & { version: string; canary?: CanaryShare; downgrade?: boolean },
): Promise<Generation> {
  const { by, name, canary } = asked
  const record = await publishedOrRefuse(registry, name, asked.version)
  return registry.generations.change(asked.generation, async (live): Promise<Next | null> => {
    const entry = live.modules.find((each) => each.name === name)
    if (entry?.pinned) {
      throw new RegistryRefusal(
        409,
        `${name} is pinned at ${entry.version}: portal-module unpin ${name} first, and ask whoever pinned it (portal-module status).`,
      )
    }
    const isLive = entry && buildsOf(entry).some(({ build }) => build === record.build)
    if (isLive && !canary && !(entry.canary && entry.build === record.build)) return null
    if (entry && !asked.downgrade) await refuseOlder(registry, entry, record)
    const what = canary ? 'canary' : 'promote'
    const made = canary
      ? await tried(registry, live, entry, record, canary)
      : await settled(registry, live, entry, record)
    return { what, by, module: name, modules: placed(live.modules, made) }
  })
}

/** Each major of the contract has a live build of its own, so 1.4.1 may follow 2.0.0. */
async function refuseOlder({ builds }: RegistryParts, entry: Entry, { name, version, build }: BuildRecord) {
  const details = await builds.details(name, build)
  const live = details && buildFor(entry, details.contract)?.version
  if (!live || !isOlder(version, live)) return
  throw new RegistryRefusal(
    409,
    `${name} ${version} is older than ${live}, which is live: promote it with --downgrade if that is meant; portal-module rollback brings the build before back.`,
    { live },
  )
}

/** The build takes the place of the live one for its major of the contract; builds for other majors stay beside it. */
async function settled(
  registry: RegistryParts,
  live: Generation,
  entry: Entry | undefined,
  record: BuildRecord,
): Promise<Entry> {
  const made = await moduleOf(registry, live, record, null)
  const before = buildFor(entry, made.contract) ?? entry
  const same = before?.build === made.build
  const previous = !before ? null : same ? before.previous : asPrevious(before)
  return placedByMajor(entry, { ...made, previous }, await offerOf(registry, live))
}

/** The entry with the build as its canary, beside the one that everybody else keeps. */
async function tried(
  registry: RegistryParts,
  live: Generation,
  entry: Entry | undefined,
  record: BuildRecord,
  share: CanaryShare,
): Promise<Entry> {
  if (!entry) {
    throw new RegistryRefusal(
      409,
      `${record.name} is not live yet, so there is nothing for everybody else: promote it without --canary or --role.`,
    )
  }
  if (entry.build === record.build) {
    throw new RegistryRefusal(409, `${record.name} ${record.version} is live for everybody already.`)
  }
  const module = await moduleOf(registry, live, record, asPrevious(entry))
  const { contract } = module
  if (!contractFor(contract, await offerOf(registry, live)) || majorOf(contract) < majorOf(entry.contract)) {
    throw new RegistryRefusal(
      409,
      `${record.name} ${record.version} is for contract ${contract}, and people here have ${entry.version} for ${entry.contract}: promote it without --canary or --role, and it stands beside ${entry.version}.`,
    )
  }
  const percent = 'percent' in share ? share.percent : null
  return { ...entry, canary: { percent, roles: 'roles' in share ? share.roles : [], module } }
}
