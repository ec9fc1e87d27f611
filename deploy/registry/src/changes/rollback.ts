import { majorOf } from '@portal/sdk/majors'
import { buildFor, placedByMajor, withoutMajor } from '../arrange.ts'
import { buildsOf } from '../builds.ts'
import type { RegistryParts } from '../parts.ts'
import { RegistryRefusal } from '../refusals.ts'
import type { BuildRecord, Entry, Generation } from '../schemas.ts'
import { type Asked, changeEntry, placed } from './entry-change.ts'
import { fittingOrRefuse, moduleOf, offerOf, publishedOrRefuse } from './gates.ts'

/**
 * Ends the canary if there is one. Otherwise makes the previous build live again, or the one beside it. `contract` is the
 * major of the contract whose build goes back; without it, it is the build that people have.
 */
export function rollback(
  registry: RegistryParts,
  asked: Asked & { contract?: number | undefined },
): Promise<Generation> {
  return changeEntry(registry, asked, 'rollback', async (entry, live) => {
    const leaving = asked.contract === undefined ? entry : buildFor(entry, `${asked.contract}`)
    if (!leaving) throw new RegistryRefusal(409, `${entry.name} has no build for contract ${asked.contract}.`)
    const { canary, ...rest } = entry
    if (canary && leaving === entry) return rest
    const offer = await offerOf(registry, live)
    const left = withoutMajor(entry, leaving.contract, offer)
    const before = leaving.previous && (await recordBefore(registry, entry.name, leaving.previous))
    const contract = before && (await registry.builds.details(entry.name, before.build))?.contract
    const without = (modules: Entry[]) => modules.filter(({ name }) => name !== entry.name)
    const remaining = { ...live, modules: left ? placed(live.modules, left) : without(live.modules) }
    // The build for the major before has stayed live, perhaps in a newer version than the one that was replaced.
    if (
      left &&
      (!contract || (majorOf(contract) !== majorOf(leaving.contract) && buildFor(left, contract)))
    ) {
      await fittingOrRefuse(
        registry,
        remaining,
        await publishedOrRefuse(registry, left.name, `${left.version}+${left.build}`),
      )
      return left
    }
    if (!before) {
      throw new RegistryRefusal(
        409,
        `${entry.name} has no build before ${leaving.version}: portal-module disable ${entry.name} takes it out of use.`,
      )
    }
    const made = await moduleOf(registry, remaining, before, await previousOf(registry, before))
    const { pinned, disabled } = entry
    return {
      ...placedByMajor(left ?? undefined, made, offer),
      disabled,
      ...(pinned && { pinned }),
    }
  })
}

async function recordBefore(
  registry: RegistryParts,
  name: string,
  { version, build }: NonNullable<Entry['previous']>,
) {
  const record = await registry.builds.ofBuild(name, build)
  return publishedOrRefuse(registry, name, record ? `${record.version}+${record.build}` : version)
}

/** The build that was live before this one became live first. */
async function previousOf(
  { generations }: RegistryParts,
  { name, build }: BuildRecord,
): Promise<Entry['previous']> {
  for await (const { modules } of generations.down()) {
    const entry = modules.find((each) => each.name === name)
    const found = entry && buildsOf(entry).find((each) => each.build === build)
    if (found) return found.previous
  }
  return null
}
