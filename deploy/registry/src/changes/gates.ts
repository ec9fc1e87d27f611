import { type Offer, offered } from '@portal/sdk/majors'
import { asModule } from '../builds.ts'
import { fitOrRefuse } from '../fit.ts'
import type { RegistryParts } from '../parts.ts'
import { RegistryRefusal } from '../refusals.ts'
import type { BuildRecord, Entry, Generation } from '../schemas.ts'
import { readShell } from '../surroundings.ts'

/** The record of a published build, if neither it nor the key that signed it was revoked. */
export async function publishedOrRefuse(
  { builds, revocations }: RegistryParts,
  name: string,
  version: string,
): Promise<BuildRecord> {
  const record = await builds.ofVersion(name, version)
  if (!record) {
    const known = (await builds.list(name)).map((each) => each.version).join(', ')
    throw new RegistryRefusal(
      404,
      `${name} ${version} was never published${known ? `; there are ${known}` : ''}: portal-module publish first.`,
    )
  }
  const revoked = await revocations.build(name, record.build)
  if (revoked)
    throw new RegistryRefusal(
      409,
      `${name} ${record.version} was revoked by ${revoked.by} (${revoked.reason}): publish a new version.`,
    )
  const lost = await revocations.key(record.key)
  if (!lost) return record
  throw new RegistryRefusal(
    409,
    `${name} ${record.version} was signed with the key ${record.key}, which ${lost.by} revoked (${lost.reason}): publish a new version with another key.`,
  )
}

/** The entry of a build that may go live beside everything in `live`. */
export async function moduleOf(
  registry: RegistryParts,
  live: Generation,
  record: BuildRecord,
  previous: Entry['previous'],
) {
  const { admissions } = registry
  const { name, version, at } = record
  if (!(await admissions.has(record))) {
    const removed = await admissions.removedAt(name)
    if (removed && at <= removed)
      throw new RegistryRefusal(
        409,
        `${name} ${version} was published before ${name} was removed from the portal, and waits for nobody: raise the version in package.json, build and publish again.`,
      )
    throw new RegistryRefusal(
      409,
      `${name} ${version} waits for admission: an administrator of the portal reads under Modules what it adds, and admits it there. Then repeat this command.`,
      { waits: version },
    )
  }
  const details = await fittingOrRefuse(registry, live, record)
  return asModule(details, record, previous)
}

/** What `build.json` says of a build that fits everything in `live`, and whose files are kept. */
export async function fittingOrRefuse(registry: RegistryParts, live: Generation, record: BuildRecord) {
  const details = await registry.builds.details(record.name, record.build)
  if (details) {
    await fitOrRefuse(registry, live, record, details)
    return details
  }
  throw new RegistryRefusal(
    410,
    `The files of ${record.name} ${record.version} are no longer kept: publish it again as a new version.`,
  )
}

/** What the live shell offers to modules. */
export const offerOf = async ({ store }: RegistryParts, { shell }: Generation): Promise<Offer> =>
  (await readShell(store, shell)) ?? offered
