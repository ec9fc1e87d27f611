import { buildFolder } from '../builds.ts'
import { packedOf, type StoredFiles } from '../packing.ts'
import type { RegistryParts } from '../parts.ts'
import { RegistryRefusal } from '../refusals.ts'
import type { BuildRecord } from '../schemas.ts'
import { staging } from '../staging.ts'
import { codeOf, type Store } from '../store.ts'

/** Where the files of a build and its record are kept. */
type BuildStores = Pick<RegistryParts, 'store' | 'builds'>
type Packed = Awaited<ReturnType<typeof packedOf>>

/** Writes the record last, because it publishes the build. Of two concurrent commits one succeeds. */
export async function settle(
  { store, builds }: BuildStores,
  record: BuildRecord,
  text: string,
  files: StoredFiles,
): Promise<BuildRecord> {
  const { name, build, version } = record
  const folder = buildFolder(name, build)
  await place(
    store,
    `${folder}/build.json`,
    Buffer.from(text),
    await packedOf('build.json', Buffer.from(text)),
  )
  // Files of another upload with the same id, running or abandoned, must not be mixed with ours.
  if ((await builds.text(name, build)) !== text) throw atOnce(name, version, build, 'with other content')
  for (const [path, { content, packed }] of files) await place(store, `${folder}/${path}`, content, packed)
  if (await builds.publish(record)) return record
  const winner = await builds.ofVersion(name, version)
  if (winner?.integrity === record.integrity) return winner
  if (winner?.build !== build) await store.remove(folder)
  throw atOnce(name, version, winner?.build ?? '', `by ${winner?.person ?? 'somebody'}`)
}

async function place(store: Store, key: string, content: Buffer, packed: Packed) {
  await store.create(key, content)
  if (!packed) return
  await store.create(`${key}.br`, packed.br)
  await store.create(`${key}.gz`, packed.gz)
}

/** Runs a step of an upload. If the store is full, the files of the build are removed. */
export async function orNothing<T>(
  { store, builds }: BuildStores,
  name: string,
  build: string,
  act: () => Promise<T>,
): Promise<T> {
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

const atOnce = (name: string, version: string, build: string, how: string) =>
  new RegistryRefusal(
    409,
    `${name} ${version} was published at the same moment ${how} (build ${build}): raise the version in package.json, build and publish again.`,
  )
