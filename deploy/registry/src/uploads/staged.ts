import { Check } from '@portal/sdk/gates/candidate'
import { faultOfFiles, isKey, sentOf } from '@portal/sdk/gates/file-names'
import { faultOfUnpacked } from '@portal/sdk/gates/weights'
import { ModuleBuild } from '@portal/sdk/manifest'
import * as v from 'valibot'
import { packedOf, type StoredFiles } from '../packing.ts'
import { RegistryRefusal } from '../refusals.ts'
import { integrityLike } from '../signing.ts'
import { staging, uploadKey } from '../staging.ts'
import type { Store } from '../store.ts'
import { readStored } from '../stored-json.ts'

/** The announcement of a build, sent before its files. */
export const Announced = v.object({
  record: v.pipe(v.string(), v.maxLength(500_000)),
  signature: v.pipe(v.string(), v.maxLength(4000)),
  checks: v.optional(v.array(Check), []),
})
export type Announced = v.InferOutput<typeof Announced>
export type Staged = Announced & { details: ModuleBuild }

/** A staged file is stored under its hash, so sending it again is harmless. */
export const stagedAs = (name: string, build: string, integrity: string) =>
  `${staging(name, build)}/${Buffer.from(integrity.slice('sha256-'.length), 'base64').toString('hex')}`

/** The files that were not sent yet, by their path. */
export async function missingOf(store: Store, details: ModuleBuild): Promise<string[]> {
  const { name, build } = details
  const there = await Promise.all(
    Object.entries(sentOf(details)).map(async ([path, integrity]) => [
      path,
      await store.exists(stagedAs(name, build, integrity)),
    ]),
  )
  return there.flatMap(([path, exists]) => (exists ? [] : [String(path)]))
}

/** What was announced of a build; null if nothing was. */
export async function stagedOf(store: Store, name: string, build: string): Promise<Staged | null> {
  const given = isKey(staging(name, build))
    ? await readStored(store, uploadKey(name, build), Announced)
    : null
  return given && { ...given, details: readDetails(given.record) }
}

export async function stagedOrRefuse(store: Store, name: string, build: string): Promise<Staged> {
  const staged = await stagedOf(store, name, build)
  if (staged) return staged
  throw new RegistryRefusal(
    404,
    `No upload of ${name} ${build} was begun: POST /registry/uploads first (portal-module publish).`,
  )
}

/**
 * All files of a staged build, packed. A damaged one is removed, so that it is sent again. They are refused as soon as they
 * are too large together, because one staged file can stand under hundreds of names.
 */
export async function filesOf(store: Store, details: ModuleBuild): Promise<StoredFiles> {
  const { name, build } = details
  const found: StoredFiles = new Map()
  const contents = new Map<string, Buffer>()
  let bytes = 0
  for (const [path, integrity] of Object.entries(sentOf(details))) {
    const content = await store.read(stagedAs(name, build, integrity))
    if (!content || integrityLike(integrity, content) !== integrity) {
      await store.remove(stagedAs(name, build, integrity))
      throw new RegistryRefusal(409, `${path} is damaged in the store: publish again.`, { missing: [path] })
    }
    contents.set(path, content)
    bytes += content.length
    const large = faultOfUnpacked(bytes)
    if (large) {
      await store.remove(staging(name, build))
      throw new RegistryRefusal(422, large)
    }
  }
  for (const [path, content] of contents) found.set(path, { content, packed: await packedOf(path, content) })
  return found
}

/** Reads the text of a `build.json`, or refuses it. */
export function readDetails(text: string): ModuleBuild {
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
