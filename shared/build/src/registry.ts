import { existsSync } from 'node:fs'
import { mkdir, readFile, rename, rm } from 'node:fs/promises'
import { basename, join } from 'node:path'
import { hasRuntime } from '@portal/sdk/majors'
import { ModuleBuild, ModuleManifest, Registry, RegistryModule } from '@portal/sdk/manifest'
import { condensed } from '@portal/sdk/own-words'
import { runtimeSince } from '@portal/sdk/registry'
import * as v from 'valibot'
import { sharedVersions } from './federation.ts'
import { compress, integrities, integrityOf, writeAtomically } from './files.ts'
import { collectMaps } from './maps.ts'
import { findPreloads } from './preloads.ts'
import { isOurs, root } from './sources.ts'

const dist = join(root, 'dist')
const registryFile = join(dist, 'modules.json')

const registryOnly = ['integrity', 'previous', 'disabled', 'withheld', 'signature'] as const

/** The folder of one build of a module. */
export const buildFolder = (name: string, build: string): string => join(dist, 'modules', name, build)

const readJson = async (path: string): Promise<unknown> => JSON.parse(await readFile(path, 'utf8'))

/** What a module says of itself; a fault names the file and the field. */
export async function readManifest(dir: string): Promise<ModuleManifest> {
  const manifest = v.safeParse(ModuleManifest, await readJson(join(dir, 'portal.module.json')))
  if (!manifest.success) {
    const [fault] = manifest.issues
    throw new Error(`${basename(dir)}/portal.module.json: ${v.getDotPath(fault) ?? ''} ${fault.message}`)
  }
  if (isOurs(dir) && manifest.output.name !== basename(dir))
    throw new Error(`${basename(dir)}/portal.module.json: name is not the folder's.`)
  const { contract } = manifest.output
  if (!hasRuntime(contract))
    throw new Error(
      `${basename(dir)}/portal.module.json: contract ${contract} is of portals without the federation runtime that this build needs: ask for ^${runtimeSince}.`,
    )
  return manifest.output
}

/** What a finished bundle is made of, besides its files. */
type Bundle = {
  staged: string
  build: string
  sources: string[]
  words: Record<'en' | 'fr', string[]>
}

/** Compresses and hashes a finished bundle and describes it in its `build.json`. */
export async function describeModule(
  dir: string,
  { staged, build, sources, words }: Bundle,
): Promise<ModuleBuild> {
  // The plugin's own notes, from which it makes the manifest.
  await rm(join(staged, 'mf-stats.json'), { force: true })
  const maps = await collectMaps(staged)
  const described = await describeFiles(dir, { staged, build })
  const record = v.parse(ModuleBuild, {
    ...described,
    preloads: await findPreloads(dir, staged, described.name, build),
    words: condensed(words),
    sources,
    ...(maps && { maps }),
  })
  await writeAtomically(join(staged, 'build.json'), JSON.stringify(record))
  await compress(staged)
  return record
}

/** What of a bundle is enough to load it, while somebody works on the module. */
export async function describeFiles(
  dir: string,
  { staged, build }: Pick<Bundle, 'staged' | 'build'>,
): Promise<ModuleBuild> {
  const { $schema: _, ...manifest } = await readManifest(dir)
  const { version } = (await readJson(join(dir, 'package.json'))) as { version: string }
  return v.parse(ModuleBuild, {
    ...manifest,
    version,
    build,
    base: `/modules/${manifest.name}/${build}/`,
    entry: 'remoteEntry.js',
    files: await integrities(staged),
    preloads: {},
    shared: sharedVersions(dir),
    sources: [],
  })
}

/** Puts a described build in its place; from then on it is never touched. */
export async function placeModule(staged: string, place: string): Promise<void> {
  await mkdir(join(place, '..'), { recursive: true })
  await rm(place, { recursive: true, force: true })
  await rename(staged, place)
}

/** The generation that is served now; none before the first build, or when its form is an older one. */
export async function readRegistry(): Promise<Registry | null> {
  if (!existsSync(registryFile)) return null
  const registry = v.safeParse(Registry, await readJson(registryFile))
  return registry.success ? registry.output : null
}

/** Makes these builds the current ones, in one step. Writes nothing when they already are. */
export async function publishLocally(
  shell: string | null,
  current: { name: string; build: string }[],
): Promise<boolean> {
  const before = await readRegistry()
  const same =
    before?.shell === shell &&
    before.modules.length === current.length &&
    current.every(({ name, build }) =>
      before.modules.some((each) => each.name === name && each.build === build),
    )
  if (same) return false
  const modules = await Promise.all(
    current.map(async ({ name, build }): Promise<RegistryModule> => {
      const text = await readFile(join(buildFolder(name, build), 'build.json'), 'utf8')
      const record = v.parse(v.omit(RegistryModule, registryOnly), JSON.parse(text))
      const last = before?.modules.find((each) => each.name === name)
      const previous = last?.build === build ? last.previous : last ? describePrevious(last) : null
      const integrity = integrityOf(text)
      return {
        ...record,
        integrity,
        previous,
        disabled: last?.disabled ?? false,
        withheld: null,
        signature: null,
      }
    }),
  )
  const registry = v.parse(Registry, { generation: (before?.generation ?? 0) + 1, shell, modules })
  await writeAtomically(registryFile, JSON.stringify(registry))
  return true
}

function describePrevious(last: RegistryModule) {
  const { name, version, build, integrity } = last
  if (!existsSync(join(buildFolder(name, build), 'build.json'))) return null
  return { version, build, integrity }
}
