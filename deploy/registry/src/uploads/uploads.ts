import { sentOf } from '@portal/sdk/gates/file-names'
import { mayOrRefuse } from '../keys.ts'
import { RegistryRefusal } from '../refusals.ts'
import type { PortalRegistry } from '../registry.ts'
import type { PublisherKey } from '../schemas.ts'
import { integrityLike, integrityOf, keyIdOf, readSigned } from '../signing.ts'
import { tidyUploads, uploadKey } from '../staging.ts'
import { published, publishedBefore } from './published.ts'
import { orNothing } from './settle.ts'
import { type Announced, missingOf, readDetails, stagedAs, stagedOrRefuse } from './staged.ts'

/** Announces a build, and answers which of its files are missing. It is published by its commit. */
export async function announce(registry: PortalRegistry, key: PublisherKey, given: Announced) {
  const details = readDetails(given.record)
  const { name, version, build } = details
  mayOrRefuse(key, 'publish', name)
  const facts = { name, version, build, integrity: integrityOf(given.record) }
  await signedOrRefuse(key, given.signature, facts)
  const known = await publishedBefore(registry, facts)
  if (known) return published(registry, known, true)
  const { store } = registry
  // A failed clean-up does not fail the publishing; the next one repeats it.
  await tidyUploads(store).catch(() => {})
  await store.replace(uploadKey(name, build), JSON.stringify({ ...given, at: new Date().toISOString() }))
  return {
    there: false,
    message: `Send the files of ${name} ${version}.`,
    missing: await missingOf(store, details),
  }
}

/** Refuses a signature that is not by this key over these facts. */
async function signedOrRefuse(
  key: PublisherKey,
  signature: string,
  facts: { name: string; version: string; build: string; integrity: string },
): Promise<void> {
  const signed = keyIdOf(signature) === key.id ? await readSigned(signature, key) : null
  if (JSON.stringify(signed) === JSON.stringify(facts)) return
  throw new RegistryRefusal(
    422,
    `The signature is not that of ${key.id} over name, version, build and the hash of build.json: sign what you send (portal-module publish does).`,
  )
}

/** Keeps a file of an announced build, if it is the one that its `build.json` names. */
export async function putFile(
  registry: PortalRegistry,
  key: PublisherKey,
  { name, build, path, content }: { name: string; build: string; path: string; content: Buffer },
) {
  mayOrRefuse(key, 'publish', name)
  const { store } = registry
  const { details } = await stagedOrRefuse(store, name, build)
  const expected = sentOf(details)[path]
  if (!expected)
    throw new RegistryRefusal(
      422,
      `build.json of ${name} ${build} does not name ${path}: build and publish again.`,
    )
  const found = integrityLike(expected, content)
  if (found !== expected) {
    throw new RegistryRefusal(
      422,
      `${path} arrived as ${found}, build.json says ${expected}: it was changed after the build, or on the way. Build and publish again.`,
    )
  }
  await orNothing(registry, name, build, () => store.create(stagedAs(name, build, expected), content))
  return { message: `${path} is here.` }
}
