import { Check } from '@portal/sdk/gates/candidate'
import { faultOfFiles, isKey, sentOf } from '@portal/sdk/gates/file-names'
import { passGates } from '@portal/sdk/gates/pass'
import { ModuleBuild } from '@portal/sdk/manifest'
import * as v from 'valibot'
import { buildFolder } from './builds.ts'
import { mayOrRefuse } from './keys.ts'
import { packedOf, type StoredFiles } from './packing.ts'
import { RegistryRefusal } from './refusals.ts'
import type { PortalRegistry } from './registry.ts'
import type { BuildRecord, PublisherKey } from './schemas.ts'
import { integrityLike, integrityOf, keyIdOf, readSigned } from './signing.ts'
import { staging, tidyUploads, uploadKey } from './staging.ts'
import { codeOf } from './store.ts'
import { surroundingsOf } from './surroundings.ts'

/** The announcement of a build, sent before its files. */
export const Announced = v.object({
  record: v.pipe(v.string(), v.maxLength(500_000)),
  signature: v.pipe(v.string(), v.maxLength(4000)),
  checks: v.optional(v.array(Check), []),
})
type Announced = v.InferOutput<typeof Announced>
type Packed = Awaited<ReturnType<typeof packedOf>>
type Staged = Announced & { details: ModuleBuild }

/** A staged file is stored under its hash, so sending it again is harmless. */
const stagedAs = (name: string, build: string, integrity: string) =>
  `${staging(name, build)}/${Buffer.from(integrity.slice('sha256-'.length), 'base64').toString('hex')}`

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
      missing: await missingOf(details),
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

  async function missingOf(details: ModuleBuild): Promise<string[]> {
    const { name, build } = details
    const there = await Promise.all(
      Object.entries(sentOf(details)).map(async ([path, integrity]) => [
        path,
        await store.exists(stagedAs(name, build, integrity)),
      ]),
    )
    return there.flatMap(([path, exists]) => (exists ? [] : [String(path)]))
  }

  async function stagedOf(name: string, build: string): Promise<Staged | null> {
    const data = isKey(staging(name, build)) ? await store.read(uploadKey(name, build)) : null
    if (!data) return null
    const given = v.parse(Announced, JSON.parse(data.toString()))
    return { ...given, details: readDetails(given.record) }
  }

  async function stagedOrRefuse(name: string, build: string): Promise<Staged> {
    const staged = await stagedOf(name, build)
    if (staged) return staged
    throw new RegistryRefusal(
      404,
      `No upload of ${name} ${build} was begun: POST /registry/uploads first (portal-module publish).`,
    )
  }

  async function putFile(key: PublisherKey, name: string, build: string, path: string, content: Buffer) {
    mayOrRefuse(key, 'publish', name)
    const { details } = await stagedOrRefuse(name, build)
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
    await orNothing(name, build, () => store.create(stagedAs(name, build, expected), content))
    return { message: `${path} is here.` }
  }

  async function commit(key: PublisherKey, name: string, build: string) {
    mayOrRefuse(key, 'publish', name)
    const staged = await stagedOf(name, build)
    if (!staged) {
      const known = await builds.ofBuild(name, build)
      if (known) return published(known, true)
      await stagedOrRefuse(name, build)
    }
    const { record: text, signature, details, checks } = staged as Staged
    const integrity = integrityOf(text)
    const known = await alreadyThere(name, details.version, build, integrity)
    if (known) return published(known, true)
    const missing = await missingOf(details)
    if (missing.length)
      throw new RegistryRefusal(
        409,
        `${missing.length} files are still missing (${missing[0]}): send them, then commit.`,
        { missing },
      )
    const files = await filesOf(details)
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
    const won = await orNothing(name, build, () => settle(record, text, files))
    await store.remove(staging(name, build))
    return published(won, won.at !== record.at)
  }

  async function filesOf(details: ModuleBuild): Promise<StoredFiles> {
    const { name, build } = details
    const found: StoredFiles = new Map()
    for (const [path, integrity] of Object.entries(sentOf(details))) {
      const content = await store.read(stagedAs(name, build, integrity))
      if (!content || integrityLike(integrity, content) !== integrity) {
        await store.remove(stagedAs(name, build, integrity))
        throw new RegistryRefusal(409, `${path} is damaged in the store: publish again.`, { missing: [path] })
      }
      found.set(path, { content, packed: await packedOf(path, content) })
    }
    return found
  }

  /** Writes the record last, because it publishes the build. Of two concurrent commits one succeeds. */
  async function settle(record: BuildRecord, text: string, files: StoredFiles): Promise<BuildRecord> {
    const { name, build, version } = record
    const folder = buildFolder(name, build)
    await place(`${folder}/build.json`, Buffer.from(text), await packedOf('build.json', Buffer.from(text)))
    // Files of another upload with the same id, running or abandoned, must not be mixed with ours.
    if ((await builds.text(name, build)) !== text) throw atOnce(name, version, build, 'with other content')
    for (const [path, { content, packed }] of files) await place(`${folder}/${path}`, content, packed)
    if (await builds.publish(record)) return record
    const winner = await builds.ofVersion(name, version)
    if (winner?.integrity === record.integrity) return winner
    if (winner?.build !== build) await store.remove(folder)
    throw atOnce(name, version, winner?.build ?? '', `by ${winner?.person ?? 'somebody'}`)
  }

  async function place(key: string, content: Buffer, packed: Packed) {
    await store.create(key, content)
    if (!packed) return
    await store.create(`${key}.br`, packed.br)
    await store.create(`${key}.gz`, packed.gz)
  }

  /** Runs a step of an upload. If the store is full, the files of the build are removed. */
  async function orNothing<T>(name: string, build: string, act: () => Promise<T>): Promise<T> {
    try {
      return await act()
    } catch (fault) {
      const full = ['ENOSPC', 'EDQUOT'].includes(codeOf(fault) ?? '')
      if (!full) throw fault
      await store.remove(staging(name, build)).catch(() => {})
      if (!(await builds.ofBuild(name, build))) await store.remove(buildFolder(name, build)).catch(() => {})
      throw new RegistryRefusal(
        507,
        `The portal's store is full: nothing of ${name} ${build} was kept and nothing changed. Ask the portal's operator to make room, then publish again.`,
      )
    }
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

function readDetails(text: string): ModuleBuild {
  let raw: unknown
  try {
    raw = JSON.parse(text)
  } catch {
    throw new RegistryRefusal(422, 'record is not the text of a build.json: build and publish again.')
  }
  const found = v.safeParse(ModuleBuild, raw)
  if (!found.success) {
    const [issue] = found.issues
    throw new RegistryRefusal(
      422,
      `build.json: ${v.getDotPath(issue) ?? ''} ${issue.message} Correct portal.module.json and build again.`,
    )
  }
  const wrong = faultOfFiles(found.output)
  if (wrong) throw new RegistryRefusal(422, wrong)
  return found.output
}

const atOnce = (name: string, version: string, build: string, how: string) =>
  new RegistryRefusal(
    409,
    `${name} ${version} was published at the same moment ${how} (build ${build}): raise the version in package.json, build and publish again.`,
  )
