import { buildsInUse } from './builds.ts'
import type { AskedBuild } from './changes/changes.ts'
import type { RegistryParts } from './parts.ts'
import { ownModule, RegistryRefusal } from './refusals.ts'

/**
 * Decides where an admitted build runs: trusted in the portal's page, or in a frame again. If somebody may run it now,
 * that is a new generation, so that every gateway and every open tab follows.
 */
export async function decideTrust(
  { builds, admissions, generations }: Pick<RegistryParts, 'builds' | 'admissions' | 'generations'>,
  { by, name, build, trusted, step }: AskedBuild & { trusted: boolean },
) {
  const record = await builds.ofBuild(name, build)
  if (!record) throw new RegistryRefusal(404, `No build ${build} of ${name} was published.`)
  if (record.release) throw ownModule(name, ': it always runs in the page')
  const admission = await admissions.of(name, build)
  if (!admission)
    throw new RegistryRefusal(409, `${name} ${record.version} waits for admission: it is decided there.`, {
      waits: record.version,
    })
  const changed = !(await admissions.holds(record, trusted))
  if (changed) {
    // If the process dies before the generation is made, the same decision makes it when it is repeated.
    await admissions.begin(name, build)
    const at = new Date().toISOString()
    await admissions.decide(name, build, admission, { trusted, by, at, ...(step && { step }) })
    await generations.change(undefined, ({ modules }) => {
      const entry = modules.find((each) => each.name === name)
      const inUse = entry && buildsInUse(entry).includes(build)
      return inUse ? { what: trusted ? 'trust' : 'isolate', by, module: name } : null
    })
    await admissions.end(name, build)
  }
  return { record, changed }
}
