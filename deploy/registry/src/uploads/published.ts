import { RegistryRefusal } from '../refusals.ts'
import type { PortalRegistry } from '../registry.ts'
import type { BuildRecord } from '../schemas.ts'

/** The record of this very build if it is published; null if version and build are free. Throws if another build has them. */
export async function publishedBefore(
  { builds }: Pick<PortalRegistry, 'builds'>,
  { name, version, build, integrity }: Pick<BuildRecord, 'name' | 'version' | 'build' | 'integrity'>,
): Promise<BuildRecord | null> {
  const known = (await builds.ofVersion(name, version)) ?? (await builds.ofBuild(name, build))
  if (!known) return null
  if (known.integrity === integrity && known.version === version) return known
  throw new RegistryRefusal(
    409,
    `${name} ${known.version} (build ${known.build}) was published by ${known.person} with other content, and what is published never changes: raise the version in package.json, build and publish again.`,
  )
}

/** What became of a build, and whom it waits for. `there` is true if it was published before. */
export async function published(
  { admissions }: Pick<PortalRegistry, 'admissions'>,
  record: BuildRecord,
  there: boolean,
) {
  const { name, version, build, checks } = record
  const result = there ? 'is published already, with these very files' : 'is published; nobody sees it yet'
  const admitted = await admissions.has(record)
  const next = admitted
    ? 'An administrator of the portal has admitted it;'
    : 'It waits for an administrator of the portal, who is told of it and admits it under Modules; then'
  const message = `${name} ${version} ${result}. ${next} somebody else makes it live: portal-module promote ${name} ${version} --key <their key>`
  return { there, message, version, build, checks }
}
