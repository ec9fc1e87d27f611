import { existsSync, readFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { join } from 'node:path'
import { sentOf } from '@portal/sdk/gates/file-names'
import { offeredUntil, shellOffer } from '@portal/sdk/gates/offer'
import { contractFor, contractsOf, type Offer } from '@portal/sdk/majors'
import { ModuleBuild, type Registry, type RegistryModule, readRegistry } from '@portal/sdk/manifest'
import * as v from 'valibot'
import { arranged } from './arrange.ts'
import { openTabs } from './audience.ts'
import { asModule, asPrevious, buildFolder, buildsInUse } from './builds.ts'
import { releaseFitsOrRefuse } from './fit.ts'
import { filesBelow } from './folders.ts'
import type { Next } from './generations.ts'
import { prunePageFiles, storePageFiles } from './page-files.ts'
import type { PortalRegistry } from './registry.ts'
import { type BuildRecord, type Entry, type Generation, rights, type ShellFacts } from './schemas.ts'
import { integrityLike, integrityOf, type SigningKey, signBuild } from './signing.ts'
import { tidyUploads } from './staging.ts'

const person = 'Release'

/**
 * Publishes what was built into `distDir`: the product's own modules are signed with the release key and made live in one
 * generation, if anything differs from the last release. What partners published, what is disabled or pinned, and what
 * was rolled back since stays as it is. Any number of processes may do it at once.
 */
export async function publishRelease(
  registry: PortalRegistry,
  distDir: string,
  key: SigningKey,
  offer: Offer = offeredUntil,
): Promise<Generation> {
  const { registry: built } = readRegistry(readFileSync(join(distDir, 'modules.json'), 'utf8'))
  await ensureKey(
    registry,
    key,
    built.modules.map(({ name }) => name),
  )
  const published: Record<string, BuildRecord> = {}
  for (const module of built.modules)
    published[module.name] = await publishBuild(registry, distDir, key, module)
  await describeShell(registry, distDir, built.shell, offer)
  // Before the release is live, because the first page of it may be served by a machine that has the build of before.
  if (built.shell) await storePageFiles(registry.store, distDir, built.shell)
  const live = await registry.generations.change(undefined, (before) =>
    release(registry, before, built, published, offer),
  )
  for (const module of built.modules)
    if (await isIncomplete(registry, distDir, module)) await publishBuild(registry, distDir, key, module)
  await nameUnfit(registry, live, offer)
  await pruneBuilds(registry, distDir, live)
  await prunePageFiles(registry.store, live.shell)
  // A failed clean-up does not fail the release; the next upload repeats it.
  await tidyUploads(registry.store).catch(() => {})
  return live
}

async function ensureKey({ keys, revocations }: PortalRegistry, { id, jwk }: SigningKey, modules: string[]) {
  const known = await keys.read(id)
  if (known?.retired || (await revocations.key(id)))
    throw new Error(`The release key ${id} was taken back: make another (npm run registry -- key:make).`)
  if (known && modules.every((name) => known.modules.includes(name))) return
  const half = { kty: 'OKP', crv: 'Ed25519', x: String(jwk.x) } as const
  const all = [...new Set([...(known?.modules ?? []), ...modules])].sort()
  await keys.replace({
    id,
    person,
    name: 'releases',
    public: half,
    modules: all,
    may: [...rights],
    retired: false,
  })
}

/** Publishes a build. Existing files stay; missing and damaged ones are written again. */
async function publishBuild(
  { store, builds }: PortalRegistry,
  distDir: string,
  key: SigningKey,
  { name, version, build }: RegistryModule,
): Promise<BuildRecord> {
  const folder = buildFolder(name, build)
  const from = join(distDir, folder)
  const known = await builds.ofBuild(name, build)
  const text = readFileSync(join(from, 'build.json'), 'utf8')
  const integrity = integrityOf(text)
  // A rebuild with other bytes is ignored: the published files are the build.
  if (known && known.integrity !== integrity) return known
  const details = v.parse(ModuleBuild, JSON.parse(text))
  const hashes: Record<string, string> = { ...sentOf(details), 'build.json': integrity }
  for (const path of filesBelow(from)) {
    const to = `${folder}/${path}`
    const hash = hashes[path]
    if (!(await store.exists(to))) await store.adopt(join(from, path), to)
    if (!hash) continue
    const stored = await store.read(to)
    if (!stored || integrityLike(hash, stored) !== hash)
      await store.replace(to, readFileSync(join(from, path)))
  }
  if (known) return known
  const record: BuildRecord = {
    ...{ name, version, build, integrity, person },
    signature: await signBuild(key, { name, version, build, integrity }),
    key: key.id,
    at: new Date().toISOString(),
    release: true,
    checks: [],
  }
  await builds.publish(record)
  return (await builds.ofBuild(name, build)) ?? record
}

/** Whether a machine of another release has removed files of this build as old, before this release was live. */
async function isIncomplete({ store }: PortalRegistry, distDir: string, { name, build }: RegistryModule) {
  const folder = buildFolder(name, build)
  const there = new Set(await store.list(folder))
  return filesBelow(join(distDir, folder)).some((path) => !there.has(`${folder}/${path}`))
}

/** Stores the facts about the shell that the gates check modules against. */
async function describeShell({ store }: PortalRegistry, distDir: string, build: string | null, offer: Offer) {
  if (!build || (await store.exists(`shells/${build}.json`))) return
  const require = createRequire(import.meta.url)
  const versionOf = (name: string) => (require(`${name}/package.json`) as { version: string }).version
  const early = join(distDir, 'shell/early.json')
  const pages = existsSync(early) ? Object.keys(JSON.parse(readFileSync(early, 'utf8')).en ?? {}) : []
  const own = shellOffer(versionOf, offer)
  const routes = [...new Set([...own.routes, ...pages.filter((path) => path.startsWith('/'))])].sort()
  const facts: ShellFacts = { build, ...own, routes }
  await store.create(`shells/${build}.json`, JSON.stringify(facts))
}

async function release(
  { builds }: PortalRegistry,
  live: Generation,
  built: Registry,
  published: Record<string, BuildRecord>,
  offer: Offer,
): Promise<Next | null> {
  const names = Object.keys(published)
  const brought = Object.fromEntries(names.map((name) => [name, published[name]?.build ?? '']))
  const unchanged = live.shell === built.shell && sameBuilds(live.release, brought)
  if (unchanged) return null
  const entryOf = async (name: string): Promise<Entry | undefined> => {
    const before = live.modules.find((each) => each.name === name)
    const record = published[name]
    if (before && (before.pinned || live.release[name] === record?.build)) return before
    const details = record && (await builds.details(name, record.build))
    if (!details) return before
    const previous = !before ? null : before.build === record.build ? before.previous : asPrevious(before)
    return { ...asModule(details, record, previous), disabled: before?.disabled ?? false }
  }
  const own = (await Promise.all(names.map(entryOf))).filter((entry) => entry !== undefined)
  const others = live.modules
    .filter(({ name }) => !brought[name] && !live.release[name])
    .map((entry) => arranged(entry, offer))
  const modules = [...own, ...others].sort((a, b) => (a.name < b.name ? -1 : 1))
  await releaseFitsOrRefuse(builds, own, modules)
  return {
    what: 'release',
    by: person,
    shell: built.shell,
    previous_shell: live.shell === built.shell ? live.previous_shell : live.shell,
    release: brought,
    modules,
  }
}

/** Writes into the log which modules have no build for the shell that was just released. */
async function nameUnfit(
  { log }: PortalRegistry,
  { what, generation, modules, release: own }: Generation,
  offer: Offer,
) {
  if (what !== 'release') return
  for (const { name, version, contract, owner } of modules) {
    if (own[name] || contractFor(contract, offer)) continue
    const has = contractsOf(offer).join(', ')
    const message = `${name} ${version} asks for ${contract}, and this portal has ${has}: nobody can open it until its team (${owner.contact}) has published a build for it.`
    await log.write({ by: person, what: 'contract', ok: false, message, generation })
  }
}

const sameBuilds = (a: Record<string, string>, b: Record<string, string>) =>
  Object.keys(a).length === Object.keys(b).length && Object.keys(a).every((name) => a[name] === b[name])

/** Which builds the generations of the last 30 days named. A generation was live until the next one. */
async function recentlyLive({ generations }: Pick<PortalRegistry, 'generations'>, now: number) {
  const named = new Set<string>()
  let until = now
  for await (const { modules, at } of generations.down()) {
    if (now - until > openTabs) break
    for (const build of modules.flatMap(buildsInUse)) named.add(build)
    until = Date.parse(at)
  }
  return named
}

/**
 * Removes builds of the product that are neither in the build folder nor were named by a generation of the last 30 days,
 * which tabs that are still open may load from.
 */
export async function pruneBuilds(
  { store, builds, generations }: Pick<PortalRegistry, 'store' | 'builds' | 'generations'>,
  distDir: string,
  live: Generation,
  now = Date.now(),
) {
  for (const name of Object.keys(live.release)) {
    for (const record of await builds.list(name)) {
      const folder = buildFolder(name, record.build)
      if (!record.release || existsSync(join(distDir, folder))) continue
      if (!(await store.exists(`${folder}/build.json`))) continue
      // Read for each of them, as late as possible: its release may have returned meanwhile.
      const named = await recentlyLive({ generations }, now)
      if (!named.has(record.build)) await store.remove(folder)
    }
  }
}
