import type { Check } from '@portal/sdk/gates/candidate'
import { sentOf } from '@portal/sdk/gates/file-names'
import { passGates } from '@portal/sdk/gates/pass'
import type { ModuleBuild } from '@portal/sdk/manifest'
import { type Builds, buildFolder } from './builds.ts'
import type { StoredFiles } from './packing.ts'
import type { RegistryParts } from './parts.ts'
import { RegistryRefusal } from './refusals.ts'
import type { BuildRecord, Entry, Generation } from './schemas.ts'
import { integrityLike } from './signing.ts'
import type { Store } from './store.ts'
import { othersBeside, surroundingsOf } from './surroundings.ts'

/** Where the files of a build and its record are kept. */
type BuildStores = Pick<RegistryParts, 'store' | 'builds'>

/**
 * Refuses a build that does not fit what is live. It passed the gates when it was published, but since then another module
 * may have taken its address, or the shell may have changed.
 */
export async function fitOrRefuse(
  stores: BuildStores,
  live: Generation,
  record: BuildRecord,
  details: ModuleBuild,
) {
  const { name, version, release } = record
  const found = release
    ? await besideOthers(stores.builds, live.modules, details)
    : await everyGate(stores, live, record, details)
  const failed = found.find(({ ok }) => !ok)
  if (!failed) return
  throw new RegistryRefusal(409, `${name} ${version} cannot go live: ${failed.text}`, {
    gate: failed.gate,
    reason: failed.text,
  })
}

/** Refuses a release of which a module clashes with another one that would be live with it. */
export async function releaseFitsOrRefuse(builds: Builds, own: Entry[], modules: Entry[]) {
  for (const { name, version, build } of own) {
    const details = await builds.details(name, build)
    const failed = details && (await besideOthers(builds, modules, details)).find(({ ok }) => !ok)
    if (failed)
      throw new RegistryRefusal(
        409,
        `Nothing of this release went live. ${name} ${version}: ${failed.text} Or take the other module out of the portal first: npm run registry -- remove <module>.`,
      )
  }
}

/** The gates that compare a module with the others. */
const amongModules = ['routes', 'kinds', 'messages', 'remote'] as const

/**
 * The product's own modules only pass these gates. The release key answers for the rest: they have the portal's own
 * addresses and permissions, and change together with the shell.
 */
async function besideOthers(builds: Builds, modules: Entry[], details: ModuleBuild): Promise<Check[]> {
  const others = await othersBeside(builds, modules, details.name)
  const candidate = { details, text: '', files: new Map(), checks: [], shells: [], own: [], others }
  return passGates(candidate, amongModules)
}

async function everyGate(
  stores: BuildStores,
  live: Generation,
  { name, build, checks }: BuildRecord,
  details: ModuleBuild,
): Promise<Check[]> {
  const [text, files, surroundings] = await Promise.all([
    stores.builds.text(name, build),
    filesOf(stores.store, details),
    surroundingsOf(stores, live, details),
  ])
  return passGates({ details, text: text ?? '{}', files, checks, ...surroundings })
}

async function filesOf(store: Store, details: ModuleBuild): Promise<StoredFiles> {
  const { name, version, build } = details
  const read = async ([path, integrity]: [string, string]) => {
    const key = `${buildFolder(name, build)}/${path}`
    const [content, br, gz] = await Promise.all(
      [key, `${key}.br`, `${key}.gz`].map((each) => store.read(each)),
    )
    if (content && integrityLike(integrity, content) === integrity)
      return [path, { content, packed: br && gz ? { br, gz } : null }] as const
    throw new RegistryRefusal(
      410,
      `${path} of ${name} ${version} is not in the store as it was published: publish it again as a new version.`,
    )
  }
  return new Map(await Promise.all(Object.entries(sentOf(details)).map(read)))
}
