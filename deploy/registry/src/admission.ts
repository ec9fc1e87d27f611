import type { ModuleBuild } from '@portal/sdk/manifest'
import { type Builds, buildFolder } from './builds.ts'
import { type Candidate, passGates } from './gates.ts'
import { RegistryRefusal } from './refusals.ts'
import type { BuildRecord, Check, Generation } from './schemas.ts'
import type { Store } from './store.ts'
import { surroundingsOf } from './surroundings.ts'

type Ground = { store: Store; builds: Builds }

/**
 * Refuses a build that does not fit what is live. It passed the gates when it was published, but since then another module
 * may have taken its address, or the shell may have changed.
 */
export async function admitOrRefuse(
  ground: Ground,
  live: Generation,
  record: BuildRecord,
  details: ModuleBuild,
) {
  const { name, version } = record
  const failed = (await look(ground, live, record, details)).find(({ ok }) => !ok)
  if (failed) throw new RegistryRefusal(409, `${name} ${version} cannot go live: ${failed.text}`)
}

async function look(
  ground: Ground,
  live: Generation,
  record: BuildRecord,
  details: ModuleBuild,
): Promise<Check[]> {
  const { name, build, checks, release } = record
  const { shells, others } = await surroundingsOf(ground, live, name)
  const text = (await ground.builds.text(name, build)) ?? ''
  // The release key answers for the product's own modules, which have the portal's addresses and permissions. Only the
  // address of another module is not theirs.
  if (release)
    return passGates({ details, text, files: new Map(), checks, shells: [], others }).filter(
      ({ gate }) => gate === 'routes',
    )
  return passGates({ details, text, files: await filesOf(ground.store, details), checks, shells, others })
}

async function filesOf(store: Store, { name, build, files }: ModuleBuild): Promise<Candidate['files']> {
  const found: Candidate['files'] = new Map()
  for (const path of Object.keys(files)) {
    const key = `${buildFolder(name, build)}/${path}`
    const [content, br, gz] = await Promise.all(
      [key, `${key}.br`, `${key}.gz`].map((each) => store.read(each)),
    )
    if (!content)
      throw new RegistryRefusal(
        410,
        `${path} of ${name} is no longer kept: publish it again as a new version.`,
      )
    found.set(path, { content, packed: br && gz ? { br, gz } : null })
  }
  return found
}
