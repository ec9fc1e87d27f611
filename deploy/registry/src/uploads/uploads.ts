import { sentOf } from '@portal/sdk/gates/file-names'
import { passGates } from '@portal/sdk/gates/pass'
import { mayOrRefuse } from '../keys.ts'
import { RegistryRefusal } from '../refusals.ts'
import type { PortalRegistry } from '../registry.ts'
import type { BuildRecord, PublisherKey } from '../schemas.ts'
import { integrityLike, integrityOf, keyIdOf, readSigned } from '../signing.ts'
import { staging, tidyUploads, uploadKey } from '../staging.ts'
import { surroundingsOf } from '../surroundings.ts'
import { orNothing, settle } from './settle.ts'
import {
  type Announced,
  filesOf,
  missingOf,
  readDetails,
  type Staged,
  stagedAs,
  stagedOf,
  stagedOrRefuse,
} from './staged.ts'

/** Publishes builds. A build is announced, its files are sent one by one, and only the commit publishes it. */
export function openUploads(registry: PortalRegistry) {
  const { store, builds, admissions } = registry

  async function announce(key: PublisherKey, given: Announced) {
    const details = readDetails(given.record)
    const { name, version, build } = details
    mayOrRefuse(key, 'publish', name)
    const integrity = integrityOf(given.record)
    const signed = keyIdOf(given.signature) === key.id ? await readSigned(given.signature, key) : null
    if (JSON.stringify(signed) !== JSON.stringify({ name, version, build, integrity })) {
      throw new RegistryRefusal(
        422,
        `The signature is not that of ${key.id} over name, version, build and the hash of build.json: sign what you send (portal-module publish does).`,
      )
    }
    const known = await alreadyThere(name, version, build, integrity)
    if (known) return published(known, true)
    // A failed clean-up does not fail the publishing; the next one repeats it.
    await tidyUploads(store).catch(() => {})
    await store.replace(uploadKey(name, build), JSON.stringify({ ...given, at: new Date().toISOString() }))
    return {
      there: false,
      message: `Send the files of ${name} ${version}.`,
      missing: await missingOf(store, details),
    }
  }

  /** Null if version and build are free; throws if another build has them. */
  async function alreadyThere(name: string, version: string, build: string, integrity: string) {
    const known = (await builds.ofVersion(name, version)) ?? (await builds.ofBuild(name, build))
    if (!known) return null
    if (known.integrity === integrity && known.version === version) return known
    throw new RegistryRefusal(
      409,
      `${name} ${known.version} (build ${known.build}) was published by ${known.person} with other content, and what is published never changes: raise the version in package.json, build and publish again.`,
    )
  }

  async function putFile(key: PublisherKey, name: string, build: string, path: string, content: Buffer) {
    mayOrRefuse(key, 'publish', name)
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

  async function commit(key: PublisherKey, name: string, build: string) {
    mayOrRefuse(key, 'publish', name)
    const staged = await stagedOf(store, name, build)
    if (!staged) {
      const known = await builds.ofBuild(name, build)
      if (known) return published(known, true)
      await stagedOrRefuse(store, name, build)
    }
    const { record, details } = staged as Staged
    try {
      return await publishStaged(key, staged as Staged)
    } catch (refusal) {
      if (!(refusal instanceof RegistryRefusal)) throw refusal
      // Another commit of this build may have published it, and have taken its staged files.
      const known = await alreadyThere(name, details.version, build, integrityOf(record))
      if (!known) throw refusal
      return published(known, true)
    }
  }

  async function publishStaged(key: PublisherKey, { record: text, signature, details, checks }: Staged) {
    const { name, build } = details
    const integrity = integrityOf(text)
    const known = await alreadyThere(name, details.version, build, integrity)
    if (known) return published(known, true)
    const missing = await missingOf(store, details)
    if (missing.length)
      throw new RegistryRefusal(
        409,
        `${missing.length} files are still missing (${missing[0]}): send them, then commit.`,
        { missing },
      )
    const files = await filesOf(store, details)
    const found = passGates({
      details,
      text,
      files,
      checks,
      ...(await surroundingsOf(registry, await registry.now(), details)),
    })
    if (found.some(({ ok }) => !ok)) {
      await store.remove(staging(name, build))
      const first = found.find(({ ok }) => !ok)
      throw new RegistryRefusal(422, `${name} ${details.version} was not published: ${first?.text ?? ''}`, {
        checks: found,
      })
    }
    const { person } = key
    const record: BuildRecord = {
      ...{ name, version: details.version, build, integrity, signature, person },
      key: keyIdOf(signature) ?? key.id,
      at: new Date().toISOString(),
      release: false,
      checks: found,
    }
    const won = await orNothing(registry, name, build, () => settle(registry, record, text, files))
    await store.remove(staging(name, build))
    return published(won, won.at !== record.at)
  }

  /** What became of a build, and whom it waits for. */
  async function published(record: BuildRecord, there: boolean) {
    const { name, version, build, checks } = record
    const result = there ? 'is published already, with these very files' : 'is published; nobody sees it yet'
    const admitted = await admissions.has(record)
    const next = admitted
      ? 'An administrator of the portal has admitted it;'
      : 'It waits for an administrator of the portal, who is told of it and admits it under Modules; then'
    const message = `${name} ${version} ${result}. ${next} somebody else makes it live: portal-module promote ${name} ${version} --key <their key>`
    return { there, message, version, build, checks }
  }

  return { announce, putFile, commit }
}
