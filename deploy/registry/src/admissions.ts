import { type BuildPart, partKinds } from '@portal/contracts/modules'
import type { ModuleBuild } from '@portal/sdk/manifest'
import * as v from 'valibot'
import { type Part, partsOf } from './build-parts.ts'
import type { Builds } from './builds.ts'
import type { Generations } from './generations.ts'
import type { Revocations } from './keys.ts'
import type { BuildRecord } from './schemas.ts'
import type { Store } from './store.ts'
import { isOlder } from './versions.ts'

/** Whether a build runs in the portal's own page, and who decided that. */
export const Trust = v.object({
  trusted: v.boolean(),
  by: v.string(),
  at: v.string(),
  /** The portal's id of the step that decided it (steps.ts). */
  step: v.optional(v.string()),
})
export type Trust = v.InferOutput<typeof Trust>

/**
 * Who of the portal admitted a build, and when. An admission of before there was `trust` was given for the page: its
 * build goes on there until somebody decides otherwise.
 */
export const Admission = v.object({
  by: v.string(),
  at: v.string(),
  trust: v.optional(Trust),
  /** The portal's id of the step that admitted it (steps.ts). */
  step: v.optional(v.string()),
})
export type Admission = v.InferOutput<typeof Admission>

export type Admissions = ReturnType<typeof openAdmissions>

/** Where a build runs: a module of the product and one that an administrator trusts in the portal's page, others in a frame. */
export type Runs = 'product' | 'trusted' | 'isolated'

/** Admissions of builds. Each is a file that is created once; what it says of trust may be decided again. */
export function openAdmissions(store: Store) {
  const fileOf = (name: string, build: string) => `admitted/${name}/${build}.json`
  const read = async (file: string): Promise<Admission | null> => {
    const data = await store.read(file)
    const found = data && v.safeParse(Admission, JSON.parse(data.toString()))
    return found?.success ? found.output : null
  }
  const of = (name: string, build: string) => read(fileOf(name, build))
  /** The product's own modules are admitted by the release key. */
  const has = async ({ name, build, release }: BuildRecord) => release || (await of(name, build)) !== null
  const admit = (name: string, build: string, admission: Admission) =>
    store.create(fileOf(name, build), JSON.stringify(admission))
  const runs = async (name: string, record: BuildRecord | null): Promise<Runs> => {
    if (record?.release) return 'product'
    const admission = record && (await of(name, record.build))
    return admission && (admission.trust?.trusted ?? true) ? 'trusted' : 'isolated'
  }
  const decide = (name: string, build: string, admission: Admission, trust: Trust) =>
    store.replace(fileOf(name, build), JSON.stringify({ ...admission, trust }))
  const decisionOf = (name: string, build: string) => `deciding/${name}/${build}.json`
  /** Notes that a decision about trust is made, until it is a generation. */
  const begin = (name: string, build: string) => store.replace(decisionOf(name, build), '{}')
  const end = (name: string, build: string) => store.remove(decisionOf(name, build))
  /** Whether an admitted build was trusted, or was not, and no generation of that is missing. */
  const holds = async (record: BuildRecord, trusted: boolean): Promise<boolean> => {
    const { name, build } = record
    if ((await of(name, build)) === null || (await store.exists(decisionOf(name, build)))) return false
    return (await runs(name, record)) === (trusted ? 'trusted' : 'isolated')
  }
  /** From now on nothing that was published of a module waits. */
  const endWaiting = (name: string, end: Admission) =>
    store.replace(`removed/${name}.json`, JSON.stringify(end))
  /** When a module was removed from the portal; null if it never was. */
  const removedAt = async (name: string): Promise<string | null> =>
    (await read(`removed/${name}.json`))?.at ?? null
  return { of, has, runs, holds, admit, begin, decide, end, endWaiting, removedAt }
}

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

type Ground = { builds: Builds; admissions: Admissions; revocations: Revocations; generations: Generations }

/**
 * The builds of partners that wait for admission, newest first: those that were published after the last admitted one and
 * after their module was last removed, and those that are live or would be after a rollback.
 */
export async function waitingBuilds({ builds, admissions, revocations, generations }: Ground) {
  const { modules } = await generations.now()
  const revoked = await revocations.list()
  const found: WaitingBuild[] = []
  for (const name of await builds.names()) {
    const records = (await builds.list(name)).sort((a, b) => (a.at < b.at ? 1 : -1))
    const admitted: BuildRecord[] = []
    for (const record of records) if (await admissions.has(record)) admitted.push(record)
    const [last] = admitted
    const entry = modules.find((each) => each.name === name)
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
    const before = last ? await builds.details(name, last.build) : null
    for (const record of waiting) {
      const details = await builds.details(name, record.build)
      const live = entry ? { version: entry.version, newer: isOlder(record.version, entry.version) } : null
      if (details) found.push({ ...described(record, details, before), live })
    }
  }
  return found.sort((a, b) => (a.published_at < b.published_at ? 1 : -1))
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
