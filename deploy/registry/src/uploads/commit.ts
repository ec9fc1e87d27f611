import type { Check } from '@portal/sdk/gates/candidate'
import { passGates } from '@portal/sdk/gates/pass'
import { mayOrRefuse } from '../keys.ts'
import type { StoredFiles } from '../packing.ts'
import { RegistryRefusal } from '../refusals.ts'
import type { PortalRegistry } from '../registry.ts'
import type { BuildRecord, PublisherKey } from '../schemas.ts'
import { integrityOf, keyIdOf } from '../signing.ts'
import { staging } from '../staging.ts'
import { surroundingsOf } from '../surroundings.ts'
import { published, publishedBefore } from './published.ts'
import { orNothing, settle } from './settle.ts'
import { filesOf, missingOf, type Staged, stagedOf, stagedOrRefuse } from './staged.ts'

/** Publishes a build whose files have all been sent. */
export async function commit(registry: PortalRegistry, key: PublisherKey, name: string, build: string) {
  mayOrRefuse(key, 'publish', name)
  const { store, builds } = registry
  const begun = await stagedOf(store, name, build)
  const done = begun ? null : await builds.ofBuild(name, build)
  if (done) return published(registry, done, true)
  const staged = begun ?? (await stagedOrRefuse(store, name, build))
  try {
    return await publishStaged(registry, key, staged)
  } catch (refusal) {
    if (!(refusal instanceof RegistryRefusal)) throw refusal
    // Another commit of this build may have published it, and have taken its staged files.
    const { version } = staged.details
    const integrity = integrityOf(staged.record)
    const known = await publishedBefore(registry, { name, version, build, integrity })
    if (!known) throw refusal
    return published(registry, known, true)
  }
}

async function publishStaged(registry: PortalRegistry, key: PublisherKey, staged: Staged) {
  const { store } = registry
  const { record: text, signature, details } = staged
  const { name, version, build } = details
  const facts = { name, version, build, integrity: integrityOf(text) }
  const known = await publishedBefore(registry, facts)
  if (known) return published(registry, known, true)
  const missing = await missingOf(store, details)
  if (missing.length)
    throw new RegistryRefusal(
      409,
      `${missing.length} files are still missing (${missing[0]}): send them, then commit.`,
      { missing },
    )
  const files = await filesOf(store, details)
  const checks = await passedOrRefuse(registry, staged, files)
  const record: BuildRecord = {
    ...{ ...facts, signature, person: key.person },
    key: keyIdOf(signature) ?? key.id,
    at: new Date().toISOString(),
    release: false,
    checks,
  }
  const won = await orNothing(registry, name, build, () => settle(registry, record, text, files))
  await store.remove(staging(name, build))
  return published(registry, won, won.at !== record.at)
}

/** The checks of a build that passes the gates. One that does not is refused, and its staged files are removed. */
async function passedOrRefuse(
  registry: PortalRegistry,
  { record: text, details, checks }: Staged,
  files: StoredFiles,
): Promise<Check[]> {
  const surroundings = await surroundingsOf(registry, await registry.now(), details)
  const found = passGates({ details, text, files, checks, ...surroundings })
  const failed = found.find(({ ok }) => !ok)
  if (!failed) return found
  await registry.store.remove(staging(details.name, details.build))
  throw new RegistryRefusal(422, `${details.name} ${details.version} was not published: ${failed.text}`, {
    checks: found,
  })
}
