import { type BuildPart, partKinds } from '@portal/contracts/modules'
import type { ModuleBuild } from '@portal/sdk/manifest'
import { type Part, partsOf } from './build-parts.ts'
import type { Revoked } from './keys.ts'
import type { RegistryParts } from './parts.ts'
import type { BuildRecord, Entry } from './schemas.ts'
import { isOlder } from './versions.ts'

/** A build that waits for admission, with what an administrator has to know before. */
export type WaitingBuild = Pick<BuildRecord, 'name' | 'version' | 'build' | 'person' | 'key'> &
  Pick<ModuleBuild, 'title' | 'owner'> & {
    published_at: string
    /** The last build that was admitted, which this one is compared with. */
    admitted: { version: string; build: string } | null
    live: { version: string; newer: boolean } | null
    parts: BuildPart[]
    /** How many files it has, and how many of them the admitted build does not have. */
    files: { total: number; new: number }
  }

/**
 * The builds of partners that wait for admission, newest first: those that were published after the last admitted one and
 * after their module was last removed, and those that are live or would be after a rollback.
 */
export async function waitingBuilds(
  registry: Omit<RegistryParts, 'store' | 'keys'>,
): Promise<WaitingBuild[]> {
  const { builds, revocations, generations } = registry
  const { modules } = await generations.now()
  const revoked = await revocations.list()
  const found: WaitingBuild[] = []
  for (const name of await builds.names()) {
    const entry = modules.find((each) => each.name === name)
    const { waiting, last } = await waitingOf(registry, name, entry, revoked)
    const before = last ? await builds.details(name, last.build) : null
    for (const record of waiting) {
      const details = await builds.details(name, record.build)
      const live = entry ? { version: entry.version, newer: isOlder(record.version, entry.version) } : null
      if (details) found.push({ ...described(record, details, before), live })
    }
  }
  return found.sort((a, b) => (a.published_at < b.published_at ? 1 : -1))
}

/** The builds of one module that wait, and the last one that was admitted. */
async function waitingOf(
  { builds, admissions }: Pick<RegistryParts, 'builds' | 'admissions'>,
  name: string,
  entry: Entry | undefined,
  revoked: Revoked,
) {
  const records = (await builds.list(name)).sort((a, b) => (a.at < b.at ? 1 : -1))
  const admitted: BuildRecord[] = []
  for (const record of records) if (await admissions.has(record)) admitted.push(record)
  const [last] = admitted
  const beside = (entry?.beside ?? []).map(({ build }) => build)
  const inUse = [entry?.build, entry?.previous?.build, entry?.canary?.module.build, ...beside]
  const removed = records.length > admitted.length ? await admissions.removedAt(name) : null
  const since = [last?.at, removed].filter((at) => typeof at === 'string')
  const waiting = records.filter(
    (record) =>
      !admitted.includes(record) &&
      (since.every((at) => record.at > at) || inUse.includes(record.build)) &&
      !revoked.keys.includes(record.key) &&
      !revoked.builds.some((each) => each.name === name && each.build === record.build),
  )
  return { waiting, last }
}

function described(
  record: BuildRecord,
  details: ModuleBuild,
  before: ModuleBuild | null,
): Omit<WaitingBuild, 'live'> {
  const { name, version, build, person, key, at } = record
  const known = new Set(Object.values(before?.files ?? {}))
  const hashes = Object.values(details.files)
  return {
    ...{ name, version, build, person, key, published_at: at },
    ...{ title: details.title, owner: details.owner },
    admitted: before && { version: before.version, build: before.build },
    parts: compared(details, before),
    files: { total: hashes.length, new: hashes.filter((hash) => !known.has(hash)).length },
  }
}

function compared(details: ModuleBuild, before: ModuleBuild | null): BuildPart[] {
  const [now, then] = [partsOf(details), before ? partsOf(before) : null]
  return partKinds.flatMap((kind) => {
    const had = then?.[kind] ?? []
    const has = (parts: readonly Part[], value: string) => parts.some((part) => part.value === value)
    const parts = now[kind].map((part): BuildPart => {
      return { kind, ...part, change: has(had, part.value) ? 'same' : 'new' }
    })
    const gone = had.filter(({ value }) => !has(now[kind], value))
    return [...parts, ...gone.map((part): BuildPart => ({ kind, ...part, change: 'gone' }))]
  })
}
